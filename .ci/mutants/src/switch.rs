//! Puts mutants into a source file: `a + b` becomes `if mutant(7) { a - b } else { a + b }`.

use proc_macro2::{LineColumn, TokenStream};
use quote::{ToTokens, quote};
use std::collections::HashMap;
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};
use syn::{BinOp, Block, Expr, Signature, UnOp, parse_quote};

/// One line of cargo-mutants' list.
#[derive(Debug, Clone)]
pub struct Mutant {
    pub id: usize,
    pub name: String,
    pub file: String,
    pub genre: String,
    pub replacement: String,
    /// Where the replaced text starts: line and column, both from 1.
    pub start: (usize, usize),
}

/// The file with its mutants switchable, and the ids of those that went in.
pub fn switch(source: &str, mutants: &[Mutant]) -> syn::Result<(String, Vec<usize>)> {
    let mut file = syn::parse_file(source)?;
    let mut places: HashMap<(String, (usize, usize)), Vec<Mutant>> = HashMap::new();
    for mutant in mutants {
        places.entry((mutant.genre.clone(), mutant.start)).or_default().push(mutant.clone());
    }
    let mut switcher = Switcher { places, done: Vec::new() };
    switcher.visit_file_mut(&mut file);
    Ok((file.into_token_stream().to_string(), switcher.done))
}

struct Switcher {
    places: HashMap<(String, (usize, usize)), Vec<Mutant>>,
    done: Vec<usize>,
}

/// The condition under which a mutant is active.
fn on(id: usize) -> TokenStream {
    quote!(crate::mutant(#id))
}

impl Switcher {
    /// The mutants of a genre at a place.
    fn at(&mut self, genre: &str, start: LineColumn) -> Vec<(usize, TokenStream)> {
        let found = self.places.remove(&(genre.to_owned(), (start.line, start.column + 1))).unwrap_or_default();
        let parsed = found.iter().filter_map(|m| Some((m.id, m.replacement.parse().ok()?))).collect::<Vec<_>>();
        self.done.extend(parsed.iter().map(|(id, _)| *id));
        parsed
    }

    fn function(&mut self, signature: &Signature, block: &mut Block) {
        // A constant function cannot read the switch.
        if signature.constness.is_some() {
            return;
        }
        let Some(first) = block.stmts.first() else { return };
        let values = self.at("FnValue", first.span().start());
        visit_mut::visit_block_mut(self, block);
        for (id, value) in values.iter().rev() {
            let on = on(*id);
            block.stmts.insert(0, parse_quote!(if #on { return #value; }));
        }
    }

    /// `original` unless one of the mutants is on.
    fn choose(mutants: Vec<(usize, TokenStream)>, original: &Expr) -> Expr {
        let mut chosen = quote!(#original);
        for (id, mutated) in mutants {
            let on = on(id);
            chosen = quote!(if #on { #mutated } else { #chosen });
        }
        parse_quote!((#chosen))
    }
}

fn has_let(e: &Expr) -> bool {
    match e {
        Expr::Let(_) => true,
        Expr::Binary(b) => has_let(&b.left) || has_let(&b.right),
        _ => false,
    }
}

impl VisitMut for Switcher {
    fn visit_item_fn_mut(&mut self, item: &mut syn::ItemFn) {
        self.function(&item.sig, &mut item.block);
    }

    fn visit_impl_item_fn_mut(&mut self, item: &mut syn::ImplItemFn) {
        self.function(&item.sig, &mut item.block);
    }

    fn visit_trait_item_fn_mut(&mut self, item: &mut syn::TraitItemFn) {
        if let Some(block) = &mut item.default {
            self.function(&item.sig, block);
        }
    }

    fn visit_expr_mut(&mut self, e: &mut Expr) {
        // The mutated branch keeps its operands as they were: only one mutant is on at a time.
        let original = e.clone();
        let mutants: Vec<_> = match &original {
            Expr::Binary(syn::ExprBinary { left, op, right, .. }) if !has_let(&original) => {
                let found = self.at("BinaryOperator", op.span().start());
                let operands = match op {
                    BinOp::AddAssign(_) | BinOp::SubAssign(_) | BinOp::MulAssign(_) | BinOp::DivAssign(_) => {
                        (quote!(#left), quote!(#right))
                    }
                    _ => (quote!((#left)), quote!((#right))),
                };
                let (l, r) = operands;
                found.into_iter().map(|(id, op)| (id, quote!(#l #op #r))).collect()
            }
            Expr::Unary(syn::ExprUnary { op: UnOp::Not(_) | UnOp::Neg(_), expr, .. }) => {
                let start = original.span().start();
                self.at("UnaryOperator", start).into_iter().map(|(id, _)| (id, quote!(#expr))).collect()
            }
            Expr::Struct(literal) if literal.rest.is_some() => {
                let mut without = Vec::new();
                for (index, field) in literal.fields.iter().enumerate() {
                    for (id, _) in self.at("StructField", field.span().start()) {
                        let mut shorter = literal.clone();
                        shorter.fields = literal
                            .fields
                            .iter()
                            .enumerate()
                            .filter(|(i, _)| *i != index)
                            .map(|(_, f)| f.clone())
                            .collect();
                        without.push((id, quote!(#shorter)));
                    }
                }
                without
            }
            _ => Vec::new(),
        };
        visit_mut::visit_expr_mut(self, e);
        if !mutants.is_empty() {
            *e = Self::choose(mutants, e);
        }
    }

    fn visit_arm_mut(&mut self, arm: &mut syn::Arm) {
        let deleted = self.at("MatchArm", arm.span().start());
        let guards =
            arm.guard.as_ref().map_or_else(Vec::new, |(_, guard)| self.at("MatchArmGuard", guard.span().start()));
        visit_mut::visit_arm_mut(self, arm);
        for (id, _) in deleted {
            let on = on(id);
            arm.guard = Some((Default::default(), Box::new(parse_quote!(!#on))));
        }
        if let Some((_, guard)) = &mut arm.guard
            && !guards.is_empty()
        {
            let chosen = Self::choose(guards, guard);
            **guard = chosen;
        }
    }

    // Patterns, types and constants are no place for a branch.
    fn visit_pat_mut(&mut self, _: &mut syn::Pat) {}
    fn visit_type_mut(&mut self, _: &mut syn::Type) {}
    fn visit_generics_mut(&mut self, _: &mut syn::Generics) {}
    fn visit_generic_argument_mut(&mut self, _: &mut syn::GenericArgument) {}
    fn visit_item_const_mut(&mut self, _: &mut syn::ItemConst) {}
    fn visit_impl_item_const_mut(&mut self, _: &mut syn::ImplItemConst) {}
    fn visit_item_static_mut(&mut self, _: &mut syn::ItemStatic) {}
    fn visit_expr_repeat_mut(&mut self, e: &mut syn::ExprRepeat) {
        self.visit_expr_mut(&mut e.expr);
    }
}
