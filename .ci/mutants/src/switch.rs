//! Puts every mutant of a source file into it: `a + b` becomes `if mutant(7) { a - b } else { a + b }`.

use crate::values::values;
use proc_macro2::{LineColumn, TokenStream};
use quote::{ToTokens, quote};
use std::collections::HashSet;
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};
use syn::{Attribute, BinOp, Block, Expr, Pat, Signature, UnOp, parse_quote};

/// A wrong program: where, and what is put there.
#[derive(Debug, Clone)]
pub struct Mutant {
    pub id: usize,
    pub file: String,
    pub name: String,
}

impl Mutant {
    /// The function that it is in.
    pub fn place(&self) -> String {
        format!("{} {}", self.file, self.name.rsplit_once(" in ").map_or("", |(_, function)| function))
    }
}

/// The file with its mutants switchable, but for the `rejected` ones, and the list of all of them, numbered from `first`.
pub fn switch(file: &str, source: &str, first: usize, rejected: &HashSet<usize>) -> syn::Result<(String, Vec<Mutant>)> {
    let mut tree = syn::parse_file(source)?;
    let mut switcher = Switcher { file, next: first, rejected, function: String::new(), mutants: Vec::new() };
    switcher.visit_file_mut(&mut tree);
    Ok((tree.into_token_stream().to_string(), switcher.mutants))
}

struct Switcher<'a> {
    file: &'a str,
    next: usize,
    rejected: &'a HashSet<usize>,
    function: String,
    mutants: Vec<Mutant>,
}

/// What stands in for an operator.
fn instead(op: &BinOp) -> &'static [&'static str] {
    match op {
        BinOp::Eq(_) => &["!="],
        BinOp::Ne(_) => &["=="],
        BinOp::And(_) => &["||"],
        BinOp::Or(_) => &["&&"],
        BinOp::Lt(_) => &["==", ">", "<="],
        BinOp::Gt(_) => &["==", "<", ">="],
        BinOp::Le(_) => &[">"],
        BinOp::Ge(_) => &["<"],
        BinOp::Add(_) => &["-", "*"],
        BinOp::Sub(_) => &["+", "/"],
        BinOp::Mul(_) => &["+", "/"],
        BinOp::Div(_) => &["%", "*"],
        BinOp::Rem(_) => &["/", "+"],
        BinOp::AddAssign(_) => &["-=", "*="],
        BinOp::SubAssign(_) => &["+=", "/="],
        BinOp::MulAssign(_) => &["+=", "/="],
        BinOp::DivAssign(_) => &["%=", "*="],
        BinOp::RemAssign(_) => &["/=", "+="],
        BinOp::Shl(_) => &[">>"],
        BinOp::Shr(_) => &["<<"],
        BinOp::BitAnd(_) => &["|", "^"],
        BinOp::BitOr(_) => &["&", "^"],
        BinOp::BitXor(_) => &["|", "&"],
        BinOp::BitAndAssign(_) => &["|=", "^="],
        BinOp::BitOrAssign(_) => &["&=", "^="],
        BinOp::BitXorAssign(_) => &["|=", "&="],
        BinOp::ShlAssign(_) => &[">>="],
        BinOp::ShrAssign(_) => &["<<="],
        _ => &[],
    }
}

fn tokens(text: &str) -> TokenStream {
    text.parse().expect("an operator")
}

/// `original` unless one of the mutants is on.
fn choose(mutants: Vec<(TokenStream, TokenStream)>, original: &Expr) -> Expr {
    let mut chosen = quote!(#original);
    for (on, mutated) in mutants {
        chosen = quote!(if #on { #mutated } else { #chosen });
    }
    parse_quote!((#chosen))
}

fn has_let(e: &Expr) -> bool {
    match e {
        Expr::Let(_) => true,
        Expr::Binary(b) => has_let(&b.left) || has_let(&b.right),
        Expr::Paren(p) => has_let(&p.expr),
        _ => false,
    }
}

/// What is compiled for tests, or for Kani, only.
fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let text = attribute.to_token_stream().to_string().replace(' ', "");
        ["#[test]", "#[cfg(test)]", "#[cfg(kani)]", "#[cfg(doctest)]", "#[cfg(all(test"]
            .iter()
            .any(|t| text.starts_with(t))
    })
}

impl Switcher<'_> {
    /// The condition under which a new mutant is active, or none if the compiler rejects it.
    fn add(&mut self, at: LineColumn, what: &str) -> Option<TokenStream> {
        let (id, LineColumn { line, column }) = (self.next, at);
        self.next += 1;
        let name = format!("{}:{line}:{}: {what} in {}", self.file, column + 1, self.function);
        self.mutants.push(Mutant { id, file: self.file.to_owned(), name });
        (!self.rejected.contains(&id)).then(|| quote!(crate::mutant(#id)))
    }

    fn function(&mut self, signature: &Signature, block: &mut Block) {
        // A constant function cannot read the switch.
        if signature.constness.is_some() {
            return;
        }
        let outer = std::mem::replace(&mut self.function, signature.ident.to_string());
        let mut inserted = Vec::new();
        if let Some(first) = block.stmts.first() {
            let (at, body) =
                (first.span().start(), block.stmts.iter().map(|s| s.to_token_stream().to_string()).collect::<String>());
            for value in values(&signature.output) {
                // A body that is the value already, as in an empty default.
                if value.to_string().replace(' ', "") != body.replace(' ', "")
                    && let Some(on) = self.add(at, &format!("{} for the body", value.to_string().replace(' ', "")))
                {
                    inserted.push(parse_quote!(if #on { return #value; }));
                }
            }
        }
        visit_mut::visit_block_mut(self, block);
        block.stmts.splice(0..0, inserted);
        self.function = outer;
    }

    fn binary(&mut self, original: &syn::ExprBinary) -> Vec<(TokenStream, TokenStream)> {
        let syn::ExprBinary { left, op, right, .. } = original;
        let mut found = Vec::new();
        for wrong in instead(op) {
            let what = format!("{wrong} for {}", op.to_token_stream());
            if let Some(on) = self.add(op.span().start(), &what) {
                let wrong_op = tokens(wrong);
                // The left side of an assignment is a place.
                let mutated = if wrong.ends_with('=') && wrong.len() > 1 && !["==", "!=", "<=", ">="].contains(wrong) {
                    quote!(#left #wrong_op #right)
                } else {
                    quote!((#left) #wrong_op (#right))
                };
                found.push((on, mutated));
            }
        }
        found
    }

    /// A field that the rest of the literal would give too.
    fn fields(&mut self, literal: &syn::ExprStruct) -> Vec<(TokenStream, TokenStream)> {
        let mut found = Vec::new();
        for (index, field) in literal.fields.iter().enumerate() {
            let what = format!("no field {}", field.member.to_token_stream());
            if let Some(on) = self.add(field.span().start(), &what) {
                let mut shorter = literal.clone();
                let others = literal.fields.iter().enumerate().filter(|(i, _)| *i != index);
                shorter.fields = others.map(|(_, f)| f.clone()).collect();
                // A comma before the rest.
                if !shorter.fields.is_empty() {
                    shorter.fields.push_punct(syn::token::Comma::default());
                }
                found.push((on, quote!(#shorter)));
            }
        }
        found
    }
}

impl VisitMut for Switcher<'_> {
    fn visit_item_mut(&mut self, item: &mut syn::Item) {
        let attributes = match item {
            syn::Item::Fn(item) => &item.attrs,
            syn::Item::Mod(item) => &item.attrs,
            syn::Item::Impl(item) => &item.attrs,
            _ => &Vec::new(),
        };
        if !is_test(attributes) {
            visit_mut::visit_item_mut(self, item);
        }
    }

    fn visit_item_fn_mut(&mut self, item: &mut syn::ItemFn) {
        self.function(&item.sig, &mut item.block);
    }

    fn visit_impl_item_fn_mut(&mut self, item: &mut syn::ImplItemFn) {
        if !is_test(&item.attrs) {
            self.function(&item.sig, &mut item.block);
        }
    }

    fn visit_trait_item_fn_mut(&mut self, item: &mut syn::TraitItemFn) {
        if let Some(block) = &mut item.default {
            self.function(&item.sig, block);
        }
    }

    fn visit_expr_mut(&mut self, e: &mut Expr) {
        // The mutated branch keeps its operands as they were: only one mutant is on at a time.
        let original = e.clone();
        let mutants = match &original {
            Expr::Binary(binary) if !has_let(&original) => self.binary(binary),
            Expr::Unary(syn::ExprUnary { op: op @ (UnOp::Not(_) | UnOp::Neg(_)), expr, .. }) => {
                let what = format!("no {}", op.to_token_stream());
                self.add(original.span().start(), &what).map(|on| (on, quote!(#expr))).into_iter().collect()
            }
            Expr::Struct(literal) if literal.rest.is_some() => self.fields(literal),
            _ => Vec::new(),
        };
        visit_mut::visit_expr_mut(self, e);
        if !mutants.is_empty() {
            *e = choose(mutants, e);
        }
    }

    fn visit_expr_match_mut(&mut self, e: &mut syn::ExprMatch) {
        let wild = e.arms.iter().position(|arm| matches!(arm.pat, Pat::Wild(_)) && arm.guard.is_none());
        let arms = e.arms.len();
        for (index, arm) in e.arms.iter_mut().enumerate() {
            let at = arm.span().start();
            let is_deletable = wild.is_some_and(|wild| index < wild) && arms > 1;
            let pattern = arm.pat.to_token_stream().to_string();
            let deleted = if is_deletable { self.add(at, &format!("no arm {pattern:.60}")) } else { None };
            let mut guards = Vec::new();
            if let Some((_, guard)) = &arm.guard
                && !has_let(guard)
            {
                for value in ["true", "false"] {
                    if let Some(on) = self.add(guard.span().start(), &format!("{value} for the guard")) {
                        guards.push((on, tokens(value)));
                    }
                }
            }
            visit_mut::visit_arm_mut(self, arm);
            if let Some((_, guard)) = &mut arm.guard
                && !guards.is_empty()
            {
                **guard = choose(guards, guard);
            }
            if let Some(on) = deleted {
                let guard: Expr = match &arm.guard {
                    Some((_, guard)) => parse_quote!(!#on && #guard),
                    None => parse_quote!(!#on),
                };
                arm.guard = Some((syn::token::If::default(), Box::new(guard)));
            }
        }
        self.visit_expr_mut(&mut e.expr);
    }

    // Patterns, types and constants are no place for a branch.
    fn visit_pat_mut(&mut self, _: &mut Pat) {}
    fn visit_type_mut(&mut self, _: &mut syn::Type) {}
    fn visit_generics_mut(&mut self, _: &mut syn::Generics) {}
    fn visit_generic_argument_mut(&mut self, _: &mut syn::GenericArgument) {}
    fn visit_item_const_mut(&mut self, _: &mut syn::ItemConst) {}
    fn visit_impl_item_const_mut(&mut self, _: &mut syn::ImplItemConst) {}
    fn visit_trait_item_const_mut(&mut self, _: &mut syn::TraitItemConst) {}
    fn visit_item_static_mut(&mut self, _: &mut syn::ItemStatic) {}
    fn visit_expr_const_mut(&mut self, _: &mut syn::ExprConst) {}
    fn visit_attribute_mut(&mut self, _: &mut Attribute) {}
    fn visit_expr_repeat_mut(&mut self, e: &mut syn::ExprRepeat) {
        self.visit_expr_mut(&mut e.expr);
    }
}
