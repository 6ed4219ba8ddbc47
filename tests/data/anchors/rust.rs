//! What a crate says of itself.
use std::io;

/// Saves notes.
#[derive(Debug)]
pub struct Store<T> {
    path: T,
}

impl<T: Clone> Store<T> {
    /// Writes one.
    #[inline]
    pub fn save(&self) -> bool {
        fn inner() -> bool { true }
        inner()
    }
    const LIMIT: usize = 8;
}
impl fmt::Display for Store<u8> {
    fn fmt(&self) -> fmt::Result { Ok(()) }
}
impl<'a> From<&'a str> for &'a Store<T> {
    fn from(text: &'a str) -> Self { todo!() }
}
pub trait Shape {
    fn area(&self) -> f64;
    fn name(&self) -> u8 { 1 }
}
enum Color {
    Red,
    Green(u8),
}
mod tests {
    #[test]
    fn works() {}
}
macro_rules! shout {
    () => {};
}
const TOP: u8 = 1;
static GLOBAL: u8 = 1;
type Names = Vec<String>;
pub async fn top() {}
