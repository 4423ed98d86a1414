//! `:`, `true` and `false`.

use super::{Context, Flow};
use crate::text::Text;

pub(super) fn succeed(_cx: &mut Context<'_>, _arguments: &[Text]) -> Flow {
    Flow::Status(0)
}

pub(super) fn fail(_cx: &mut Context<'_>, _arguments: &[Text]) -> Flow {
    Flow::Status(1)
}
