// SPDX-License-Identifier: GPL-3.0-or-later
//! The syntax tree. Nodes that a value may outlive (loops, macros) sit behind Arc.

use std::sync::Arc;

pub type Name = Arc<str>;

#[derive(Debug)]
pub enum Const {
    None,
    Bool(bool),
    Int(i128),
    Float(f64),
    Str(Name),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinOp {
    Add,
    Sub,
    Mul,
    Div,
    FloorDiv,
    Mod,
    Pow,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CmpOp {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    In,
    NotIn,
}

#[derive(Debug, Default)]
pub struct Args {
    pub positional: Vec<Expr>,
    pub named: Vec<(Name, Expr)>,
    pub splat: Option<Box<Expr>>,
    pub named_splat: Option<Box<Expr>>,
}

/// A filter or test with its arguments.
#[derive(Debug)]
pub struct Applied {
    pub name: Name,
    pub args: Args,
}

#[derive(Debug)]
pub enum Expr {
    Const(Const),
    Name(Name),
    List(Vec<Expr>),
    Tuple(Vec<Expr>),
    Dict(Vec<(Expr, Expr)>),
    Neg(Box<Expr>),
    Pos(Box<Expr>),
    Not(Box<Expr>),
    Binary(BinOp, Box<Expr>, Box<Expr>),
    Concat(Vec<Expr>),
    Compare(Box<Expr>, Vec<(CmpOp, Expr)>),
    And(Box<Expr>, Box<Expr>),
    Or(Box<Expr>, Box<Expr>),
    Conditional { test: Box<Expr>, then: Box<Expr>, otherwise: Option<Box<Expr>> },
    Attr(Box<Expr>, Name),
    Item(Box<Expr>, Box<Expr>),
    Slice(Box<Expr>, [Option<Box<Expr>>; 3]),
    Call(Box<Expr>, Args),
    Filter(Box<Expr>, Applied),
    Test(Box<Expr>, Applied),
}

#[derive(Debug)]
pub enum Target {
    Name(Name),
    Attr(Name, Name),
    Tuple(Vec<Target>),
}

/// What a macro and the body of a call block have in common.
#[derive(Debug)]
pub struct Callable {
    pub name: Option<Name>,
    pub params: Vec<Name>,
    /// Defaults of the last parameters.
    pub defaults: Vec<Expr>,
    pub takes_varargs: bool,
    pub takes_kwargs: bool,
    pub takes_caller: bool,
    pub body: Vec<Stmt>,
}

#[derive(Debug)]
pub struct For {
    pub target: Target,
    pub iter: Expr,
    pub filter: Option<Expr>,
    pub recursive: bool,
    pub body: Vec<Stmt>,
    pub otherwise: Vec<Stmt>,
}

#[derive(Debug)]
pub enum Node {
    Text(Name),
    Print(Expr),
    Set(Target, Expr),
    SetBlock { target: Target, filters: Vec<Applied>, body: Vec<Stmt> },
    If { branches: Vec<(Expr, Vec<Stmt>)>, otherwise: Vec<Stmt> },
    For(Arc<For>),
    With { bindings: Vec<(Target, Expr)>, body: Vec<Stmt> },
    Macro(Arc<Callable>),
    CallBlock { call: Expr, body: Arc<Callable> },
    FilterBlock { filters: Vec<Applied>, body: Vec<Stmt> },
    Generation(Vec<Stmt>),
    Break,
    Continue,
}

#[derive(Debug)]
pub struct Stmt {
    pub node: Node,
    pub line: usize,
}
