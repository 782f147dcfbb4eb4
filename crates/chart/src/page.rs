//! One self-contained HTML page: text, tables and charts, no network, no script.

/// A page under construction.
#[derive(Debug)]
pub struct Page {
    title: String,
    body: String,
}

/// A table: a header and rows of cells, the first column to the left and the others to the right.
#[derive(Debug, Clone, Default)]
pub struct Table {
    /// Column names.
    pub head: Vec<String>,
    /// Rows, each with a mark whether it stands out.
    pub rows: Vec<(Vec<String>, bool)>,
}

impl Table {
    /// Whether a column has sentences in it, which are read from the left.
    fn is_prose(&self, column: usize) -> bool {
        self.rows.iter().filter_map(|(row, _)| row.get(column)).any(|cell| cell.split(' ').count() > 4)
    }
}

const STYLE: &str = "
:root { color-scheme: light; }
body { font: 16px/1.55 system-ui, sans-serif; color: #1f2328; max-width: 64rem; margin: 3rem auto; padding: 0 1.25rem; }
h1 { font-size: 1.9rem; line-height: 1.2; margin-bottom: .25rem; }
h2 { font-size: 1.3rem; margin: 3rem 0 .5rem; }
p.lead { font-size: 1.1rem; color: #57606a; margin-top: 0; }
p.mark { display: inline-block; background: #fff4d6; border: 1px solid #e6c65c; border-radius: .4rem; padding: .15rem .6rem; font-size: .9rem; }
figure { margin: 1.25rem 0; }
figure svg { width: 100%; height: auto; }
table { border-collapse: collapse; width: 100%; font-size: .92rem; font-variant-numeric: tabular-nums; }
th, td { padding: .35rem .6rem; border-bottom: 1px solid #e3e6ea; text-align: left; vertical-align: baseline; }
th:not(:first-child), td:not(:first-child) { text-align: right; }
th { font-weight: 600; color: #57606a; }
td:first-child { white-space: nowrap; }
td.n { white-space: nowrap; }
th.t:not(:first-child), td.t:not(:first-child) { text-align: left; }
tr.ours td { background: #f1f8f4; }
pre { background: #f6f7f9; border: 1px solid #e3e6ea; border-radius: .4rem; padding: .7rem .9rem; overflow-x: auto; font-size: .85rem; line-height: 1.4; }
.scroll { overflow-x: auto; }
footer { margin-top: 4rem; color: #57606a; font-size: .88rem; border-top: 1px solid #e3e6ea; padding-top: 1rem; }
";

impl Page {
    /// A page with a headline, a sentence below it, and the mark that all simulations carry.
    pub fn new(title: &str, lead: &str, mark: &str) -> Page {
        let mut page = Page { title: title.to_string(), body: String::new() };
        page.element("h1", "", title);
        page.element("p", " class=\"lead\"", lead);
        page.element("p", " class=\"mark\"", mark);
        page
    }

    /// A section's headline.
    pub fn section(&mut self, title: &str) {
        self.element("h2", "", title);
    }

    /// A paragraph.
    pub fn paragraph(&mut self, text: &str) {
        self.element("p", "", text);
    }

    /// Text to be copied as it is: a command, a file.
    pub fn code(&mut self, text: &str) {
        self.element("pre", "", text);
    }

    /// A chart, as [`Chart::svg`](crate::plot::Chart::svg) or
    /// [`DotChart::svg`](crate::plot::DotChart::svg) made it.
    pub fn chart(&mut self, svg: &str) {
        self.push(&format!("<figure>{svg}</figure>\n"));
    }

    /// A table.
    pub fn table(&mut self, table: &Table) {
        let prose: Vec<bool> = (0..table.head.len()).map(|column| table.is_prose(column)).collect();
        let class = |column: usize| if prose.get(column) == Some(&true) { " class=\"t\"" } else { "" };
        self.push("<div class=\"scroll\"><table><thead><tr>");
        for (column, cell) in table.head.iter().enumerate() {
            self.element("th", class(column), cell);
        }
        self.push("</tr></thead><tbody>\n");
        for (row, stands_out) in &table.rows {
            self.push(if *stands_out { "<tr class=\"ours\">" } else { "<tr>" });
            for (column, cell) in row.iter().enumerate() {
                let number = cell.starts_with(|c: char| c.is_ascii_digit() || c == '-' || c == '–');
                self.element("td", if number { " class=\"n\"" } else { class(column) }, cell);
            }
            self.push("</tr>\n");
        }
        self.push("</tbody></table></div>\n");
    }

    /// The whole document, with small print at its end.
    pub fn finish(mut self, footer: &str) -> String {
        self.element("footer", "", footer);
        format!(
            "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
             <title>{}</title><style>{STYLE}</style></head>\n<body>\n{}</body></html>\n",
            escape(&self.title),
            self.body
        )
    }

    fn element(&mut self, tag: &str, attributes: &str, text: &str) {
        let text = escape(text);
        self.push(&format!("<{tag}{attributes}>{text}</{tag}>\n"));
    }

    fn push(&mut self, html: &str) {
        self.body.push_str(html);
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_escaped() {
        let mut page = Page::new("<b>", "a & b", "m");
        page.table(&Table { head: vec!["\"q\"".into()], rows: vec![(vec!["<i>".into()], true)] });
        let html = page.finish("end");
        assert!(html.contains("&lt;b&gt;") && html.contains("a &amp; b") && html.contains("&lt;i&gt;"));
        assert!(!html.contains("<i>"));
    }
}
