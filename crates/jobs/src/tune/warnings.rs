//! What a reader of a released function must know of the log that it is from.

use reticent_curate::kernel::People;

/// In a sentence each, by what was released.
pub fn warnings(people: &People) -> Vec<String> {
    let mut warnings = Vec::new();
    if people.actions.is_seen() {
        warnings.push(
            "actions are not spread evenly, or depend on the person: what is learned holds if they were chosen by the \
             plan's contexts and chance alone; what is recommended keeps to what people of a context got only to about \
             a third of a length, and a jump just beyond is not seen: hold it against your own log. Of other actions \
             nothing is known but what the plan says (`supported` is false)"
                .into(),
        );
    }
    if people.abrupt > 0.5 {
        warnings.push(
            "rewards seem to jump or bend sharply somewhere: near such places the function is smoothed, and bands may \
             miss it"
                .into(),
        );
    }
    if people.misfit > 3.0 {
        warnings.push(
            "the released numbers are not what the plan's kernel can explain: bands may miss more often than they say"
                .into(),
        );
    }
    let (share, noise) = people.clipped;
    if share > 3.0 * noise && share > 0.01 {
        warnings.push(format!(
            "about {:.0} % of rewards lay beyond the declared range and were cut to it; bands are wider for it",
            100.0 * share
        ));
    }
    warnings
}
