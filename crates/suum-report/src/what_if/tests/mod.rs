//! The page against `suum plan`, in a browser.

mod browser;
mod figures;
mod page;
