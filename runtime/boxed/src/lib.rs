//! Implementations of traits that `async-trait` declares, for types that consist of many others.
//!
//! `#[async_trait]` on an implementation writes each body into a method with bounded lifetimes. Under such bounds the
//! compiler does not remember which types are `Send`: for each method it asks anew what the type consists of, and what
//! each part consists of, down to the last field. For a sandbox, which holds an engine, that was more than half of what
//! its crate took to compile. [`macro@boxed`] writes the body into a function without bounds, where the compiler asks
//! once.
//!
//! The declaration stays with `#[async_trait]`, and so may other implementations: both write the same signature.

use proc_macro::TokenStream;
use proc_macro2::{Span, TokenStream as Tokens};
use quote::{format_ident, quote};
use syn::visit_mut::{self, VisitMut};
use syn::{
    Attribute, FnArg, Ident, ImplItem, ImplItemFn, ItemImpl, Lifetime, Pat, ReceiverKind,
    ReturnType, Signature, TypeFnPtr, TypeReference, parse_quote,
};

/// Implements a trait of `async-trait` for a type of this crate. It is for types that hold engines, clients and their
/// like; the methods run as with `#[async_trait]`, one allocation a call, and their futures are `Send`.
///
/// # Errors
/// A message of the compiler where it stands on anything but the implementation of a trait, or where an asynchronous
/// method has parameters for types, or neither `&self` nor `&mut self`.
///
/// ```
/// use offshoot_boxed::boxed;
///
/// #[async_trait::async_trait]
/// trait Greet {
///     async fn greet(&self, name: &str) -> String;
/// }
///
/// struct Polite;
///
/// #[boxed]
/// impl Greet for Polite {
///     async fn greet(&self, name: &str) -> String {
///         format!("Good day, {name}")
///     }
/// }
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// assert_eq!(Polite.greet("you").await, "Good day, you");
/// # }
/// ```
#[proc_macro_attribute]
pub fn boxed(_: TokenStream, item: TokenStream) -> TokenStream {
    let expanded = syn::parse(item).and_then(implementation);
    expanded
        .unwrap_or_else(syn::Error::into_compile_error)
        .into()
}

/// The implementation of the trait, and beside it one of the type with the bodies.
fn implementation(mut item: ItemImpl) -> syn::Result<Tokens> {
    let Some((of, _)) = &item.trait_ else {
        return Err(syn::Error::new_spanned(
            &item.self_ty,
            "not the implementation of a trait",
        ));
    };
    let of = of
        .segments
        .last()
        .map_or_else(String::new, |segment| segment.ident.to_string());
    let mut bodies = Vec::new();
    for member in &mut item.items {
        let ImplItem::Fn(method) = member else {
            continue;
        };
        if method.sig.asyncness.is_some() {
            check(&method.sig)?;
            let body = format_ident!("__{of}_{}", method.sig.ident);
            let boxing = format_ident!("{body}_boxed");
            bodies.push(renamed(method, &body));
            bodies.push(boxed_call(&method.sig, &boxing, &body));
            forward(method, &boxing);
        }
    }
    let (parameters, _, bounds) = item.generics.split_for_impl();
    let of_type = &item.self_ty;
    Ok(quote! {
        #item
        #[allow(non_snake_case, reason = "named after the trait and its method")]
        impl #parameters #of_type #bounds {
            #(#bodies)*
        }
    })
}

/// Whether such a method can be written.
fn check(signature: &Signature) -> syn::Result<()> {
    match signature.inputs.first() {
        Some(FnArg::Receiver(receiver)) if matches!(receiver.kind, ReceiverKind::Reference(..)) => {
        }
        _ => {
            return Err(syn::Error::new_spanned(
                signature,
                "only methods with `&self` or `&mut self`",
            ));
        }
    }
    match signature.generics.params.is_empty() {
        true => Ok(()),
        false => Err(syn::Error::new_spanned(
            &signature.generics,
            "only methods without parameters for types",
        )),
    }
}

/// The method as it was written, as the function `name` of the type.
fn renamed(method: &ImplItemFn, name: &Ident) -> Tokens {
    let mut method = method.clone();
    method.attrs.retain(|attribute| !is_text(attribute));
    method.sig.ident = name.clone();
    quote!(#method)
}

/// The function `name` that calls `body` and boxes its future: one lifetime for all that is borrowed, and no bounds.
fn boxed_call(signature: &Signature, name: &Ident, body: &Ident) -> Tokens {
    let call = Lifetime::new("'call", Span::mixed_site());
    let mut signature = signature.clone();
    borrowed(&mut signature, |_| call.clone());
    let arguments = arguments(&mut signature);
    let (inputs, future) = (&signature.inputs, future(&signature.output, &call));
    quote! {
        fn #name<#call>(#inputs) -> #future {
            ::std::boxed::Box::pin(Self::#body(self, #(#arguments),*))
        }
    }
}

/// Makes `method` the one that `async-trait` declares, which calls `name`.
fn forward(method: &mut ImplItemFn, name: &Ident) {
    let call = Lifetime::new("'async_trait", Span::mixed_site());
    let signature = &mut method.sig;
    let mut lifetimes = Vec::new();
    borrowed(signature, |number| {
        let lifetime = Lifetime::new(&format!("'life{number}"), Span::mixed_site());
        lifetimes.push(lifetime.clone());
        lifetime
    });
    let arguments = arguments(signature);
    let future = future(&signature.output, &call);
    let parameters = lifetimes.iter().chain([&call]);
    signature.asyncness = None;
    signature.generics = parse_quote!(<#(#parameters),*>);
    signature.generics.where_clause = Some(parse_quote!(where #(#lifetimes: #call,)* Self: #call));
    signature.output = parse_quote!(-> #future);
    method.block = parse_quote!({ Self::#name(self, #(#arguments),*) });
}

/// The type of a boxed future that gives what a function with this return type does.
fn future(output: &ReturnType, call: &Lifetime) -> Tokens {
    let result = match output {
        ReturnType::Default => quote!(()),
        ReturnType::Type(_, result) => quote!(#result),
    };
    quote! {
        ::std::pin::Pin<::std::boxed::Box<
            dyn ::std::future::Future<Output = #result> + ::std::marker::Send + #call
        >>
    }
}

/// Gives the parameters behind the receiver names that can be passed on, and returns these.
fn arguments(signature: &mut Signature) -> Vec<Ident> {
    let mut names = Vec::new();
    for input in &mut signature.inputs {
        if let FnArg::Typed(typed) = input {
            let name = format_ident!("argument{}", names.len(), span = Span::mixed_site());
            *typed.pat = Pat::Verbatim(quote!(#name));
            names.push(name);
        }
    }
    names
}

/// Whether an attribute is documentation, which the body needs no second time.
fn is_text(attribute: &Attribute) -> bool {
    attribute.path().is_ident("doc")
}

/// Gives each reference without a lifetime among the parameters what `lifetime` says of its number, in the order in
/// which `async-trait` counts them.
fn borrowed(signature: &mut Signature, lifetime: impl FnMut(usize) -> Lifetime) {
    let mut elided = Elided {
        number: 0,
        lifetime,
    };
    for input in &mut signature.inputs {
        match input {
            FnArg::Receiver(receiver) => {
                if let ReceiverKind::Reference(_, place @ None, _) = &mut receiver.kind {
                    *place = Some(elided.next());
                }
            }
            FnArg::Typed(typed) => elided.visit_type_mut(&mut typed.ty),
        }
    }
}

/// Finds the elided lifetimes of a type.
struct Elided<F> {
    /// How many were found.
    number: usize,
    lifetime: F,
}

impl<F: FnMut(usize) -> Lifetime> Elided<F> {
    fn next(&mut self) -> Lifetime {
        self.number += 1;
        (self.lifetime)(self.number - 1)
    }
}

impl<F: FnMut(usize) -> Lifetime> VisitMut for Elided<F> {
    fn visit_type_reference_mut(&mut self, reference: &mut TypeReference) {
        if reference.lifetime.is_none() {
            reference.lifetime = Some(self.next());
        }
        visit_mut::visit_type_reference_mut(self, reference);
    }

    fn visit_lifetime_mut(&mut self, lifetime: &mut Lifetime) {
        if lifetime.ident == "_" {
            *lifetime = self.next();
        }
    }

    // Lifetimes of a function's own parameters are its own.
    fn visit_type_fn_ptr_mut(&mut self, _: &mut TypeFnPtr) {}
}
