//! Names of functions as people write them.

use std::borrow::Cow;

/// The name of a function as its source has it: without parameters, and without the mangling of C++.
pub(crate) fn readable(linker_name: &str) -> Cow<'_, str> {
    if !linker_name.starts_with("_Z") {
        return Cow::Borrowed(linker_name);
    }
    let Ok(symbol) = cpp_demangle::Symbol::new(linker_name) else {
        return Cow::Borrowed(linker_name);
    };
    let options = cpp_demangle::DemangleOptions::new().no_params().no_return_type();
    symbol.demangle_with_options(&options).map_or(Cow::Borrowed(linker_name), Cow::Owned)
}

#[cfg(test)]
mod tests {
    use super::readable;

    #[test]
    fn names_of_cxx_are_made_readable() {
        assert_eq!(readable("_ZSt9terminatev"), "std::terminate");
        assert_eq!(readable("_ZN5Store3getEi"), "Store::get");
        assert_eq!(readable("main"), "main");
        assert_eq!(readable("_Zebra"), "_Zebra");
    }
}
