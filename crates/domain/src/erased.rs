//! A value that the compiler need not look into.
//!
//! Whether a future may change threads is proven anew for each future that is boxed, through everything it holds. The engine
//! holds everything, so the proof is long. Behind this it is made once.

use std::{any::Any, marker::PhantomData, ops::Deref, sync::Arc};

/// Clones share the value.
pub struct Erased<T> {
    value: Arc<dyn Any + Send + Sync>,
    kind: PhantomData<fn() -> T>,
}

impl<T: Send + Sync + 'static> Erased<T> {
    pub fn new(value: T) -> Self {
        Self { value: Arc::new(value), kind: PhantomData }
    }
}

impl<T> Clone for Erased<T> {
    fn clone(&self) -> Self {
        Self { value: Arc::clone(&self.value), kind: PhantomData }
    }
}

impl<T: 'static> Deref for Erased<T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.value.downcast_ref().unwrap_or_else(|| unreachable!("`new` put another type here"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_put_in_is_there_and_is_shared() {
        let erased = Erased::new(vec![1, 2]);
        assert_eq!(erased.clone().as_ptr(), erased.as_ptr());
        assert_eq!(*erased, [1, 2]);
    }
}
