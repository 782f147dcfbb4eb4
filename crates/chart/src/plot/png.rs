//! PNG from SVG, with fonts of its own.

use std::sync::{Arc, OnceLock};

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::fontdb::{Database, Source};
use resvg::usvg::{ImageHrefResolver, Options, Tree};

/// Largest picture made, in pixels; some 250 MB while rendering.
const LARGEST: f32 = 64e6;

/// Why a PNG could not be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlotError {
    /// The text is not an SVG document.
    #[error("cannot read the SVG")]
    Svg(#[from] resvg::usvg::Error),
    /// The picture would have no pixels, or too many.
    #[error("cannot draw {width} by {height} pixels")]
    Size {
        /// Width in pixels.
        width: f32,
        /// Height in pixels.
        height: f32,
    },
    /// The pixels could not be written as PNG.
    #[error("cannot write the PNG: {0}")]
    Encode(String),
}

/// Renders an SVG document, enlarged by `scale`, with the embedded fonts only.
pub fn png(svg: &str, scale: f32) -> Result<Vec<u8>, PlotError> {
    let tree = Tree::from_str(svg, &options())?;
    let (width, height) = (tree.size().width() * scale, tree.size().height() * scale);
    let fits = width >= 1.0 && height >= 1.0 && width * height <= LARGEST;
    let size = PlotError::Size { width, height };
    if !fits {
        return Err(size);
    }
    let Some(mut pixels) = Pixmap::new(width.round() as u32, height.round() as u32) else {
        return Err(size);
    };
    resvg::render(&tree, Transform::from_scale(scale, scale), &mut pixels.as_mut());
    pixels.encode_png().map_err(|error| PlotError::Encode(error.to_string()))
}

/// How SVG is read, fonts included.
pub(super) fn options() -> Options<'static> {
    Options {
        fontdb: fonts(),
        // Charts hold no images; without this a document could name local files.
        image_href_resolver: ImageHrefResolver {
            resolve_data: Box::new(|_, _, _| None),
            resolve_string: Box::new(|_, _| None),
        },
        ..Options::default()
    }
}

/// The embedded fonts, read once.
fn fonts() -> Arc<Database> {
    static FONTS: OnceLock<Arc<Database>> = OnceLock::new();
    let load = || {
        let mut fonts = Database::new();
        for bytes in [ttf_noto_sans::REGULAR, ttf_noto_sans::BOLD] {
            fonts.load_font_source(Source::Binary(Arc::new(bytes)));
        }
        fonts.set_sans_serif_family("Noto Sans");
        Arc::new(fonts)
    };
    FONTS.get_or_init(load).clone()
}
