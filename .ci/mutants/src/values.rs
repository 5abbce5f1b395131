//! Values that a function may return in place of its result, by its type: the small wrong answers that cargo-mutants tries.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{GenericArgument, PathArguments, ReturnType, Type};

/// At most this many for one function.
const MOST: usize = 6;

/// The values for a body, of a function with that result.
pub fn values(output: &ReturnType) -> Vec<TokenStream> {
    let mut values = match output {
        ReturnType::Default => vec![quote!(())],
        ReturnType::Type(_, of) => of_type(of),
    };
    values.truncate(MOST);
    values
}

fn of_type(of: &Type) -> Vec<TokenStream> {
    match of {
        Type::Tuple(tuple) if tuple.elems.is_empty() => vec![quote!(())],
        Type::Tuple(tuple) => {
            // One component at a time away from the first choice of all of them.
            let each: Vec<Vec<TokenStream>> = tuple.elems.iter().map(of_type).collect();
            if each.iter().any(Vec::is_empty) {
                return Vec::new();
            }
            let first: Vec<&TokenStream> = each.iter().map(|values| &values[0]).collect();
            let mut all = vec![quote!((#(#first),*))];
            for (index, values) in each.iter().enumerate() {
                for value in &values[1..] {
                    let mut one = first.clone();
                    one[index] = value;
                    all.push(quote!((#(#one),*)));
                }
            }
            all
        }
        Type::Reference(reference) => match &*reference.elem {
            Type::Path(path) if path.path.is_ident("str") => vec![quote!(""), quote!("xyzzy")],
            Type::Slice(_) if reference.mutability.is_some() => vec![quote!(&mut [])],
            Type::Slice(_) => vec![quote!(&[])],
            _ => Vec::new(),
        },
        Type::Path(path) => path.path.segments.last().map_or_else(Vec::new, of_path),
        Type::Paren(inner) => of_type(&inner.elem),
        _ => Vec::new(),
    }
}

fn of_path(segment: &syn::PathSegment) -> Vec<TokenStream> {
    let argument = match &segment.arguments {
        PathArguments::AngleBracketed(arguments) => arguments.args.iter().find_map(|argument| match argument {
            GenericArgument::Type(of) => Some(of),
            _ => None,
        }),
        _ => None,
    };
    let inner = || argument.map_or_else(Vec::new, of_type);
    match segment.ident.to_string().as_str() {
        "bool" => vec![quote!(true), quote!(false)],
        "u8" | "u16" | "u32" | "u64" | "u128" | "usize" => vec![quote!(0), quote!(1)],
        "i8" | "i16" | "i32" | "i64" | "i128" | "isize" => vec![quote!(0), quote!(1), quote!(-1)],
        "f32" | "f64" => vec![quote!(0.0), quote!(1.0), quote!(-1.0)],
        "String" => vec![quote!(String::new()), quote!("xyzzy".into())],
        "Option" => [quote!(None)].into_iter().chain(inner().into_iter().map(|v| quote!(Some(#v)))).collect(),
        "Result" => inner().into_iter().map(|v| quote!(Ok(#v))).collect(),
        "Box" => inner().into_iter().map(|v| quote!(Box::new(#v))).collect(),
        "Vec" => [quote!(vec![])].into_iter().chain(inner().into_iter().map(|v| quote!(vec![#v]))).collect(),
        // The field's own zero and one.
        "T" | "S" => vec![quote!(crate::number::Field::zero()), quote!(crate::number::Field::one())],
        "Self" | "Never" => Vec::new(),
        "Ordering" => ["Less", "Equal", "Greater"]
            .map(|name| quote::format_ident!("{name}"))
            .iter()
            .map(|name| quote!(core::cmp::Ordering::#name))
            .collect(),
        _ => vec![quote!(Default::default())],
    }
}
