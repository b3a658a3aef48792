//! The tree that the parser makes: declarations with statements, and expressions in one table.
//!
//! Expressions refer to each other by number, so that a chain of a million additions is dropped in a
//! loop. Statements own each other; the parser limits how deeply.

use std::ops::Index;
use std::sync::Arc;

use crate::diagnostic::source::SourceSpan;
use crate::types::ValueType;

/// A name where it stands.
#[derive(Clone, Debug)]
pub(crate) struct SpannedName {
    pub(crate) text: String,
    pub(crate) span: SourceSpan,
}

/// All declarations of a program.
#[derive(Debug, Default)]
pub(crate) struct Ast {
    pub(crate) exprs: ExprTable,
    pub(crate) functions: Vec<FunctionDecl>,
    pub(crate) invariants: Vec<InvariantDecl>,
}

/// `T name(T a, U b) { ... }`
#[derive(Debug)]
pub(crate) struct FunctionDecl {
    pub(crate) result: ValueType,
    pub(crate) name: SpannedName,
    pub(crate) params: Vec<ParamDecl>,
    pub(crate) body: Block,
}

/// `invariant NAME(data[] d) : NODES, STATES, KEYS clauses { ... }`
#[derive(Debug)]
pub(crate) struct InvariantDecl {
    pub(crate) name: SpannedName,
    pub(crate) params: Vec<ParamDecl>,
    pub(crate) params_span: SourceSpan,
    pub(crate) sources: [SpannedName; 3],
    pub(crate) require: bool,
    pub(crate) eventually: bool,
    pub(crate) when: Option<ExprId>,
    pub(crate) body: Block,
}

#[derive(Debug)]
pub(crate) struct ParamDecl {
    pub(crate) ty: ValueType,
    pub(crate) ty_span: SourceSpan,
    pub(crate) name: SpannedName,
}

#[derive(Debug)]
pub(crate) struct Block {
    pub(crate) stmts: Vec<Stmt>,
    /// The closing brace.
    pub(crate) end: SourceSpan,
}

#[derive(Debug)]
pub(crate) struct Stmt {
    pub(crate) kind: StmtKind,
    pub(crate) span: SourceSpan,
}

#[derive(Debug)]
pub(crate) enum StmtKind {
    Declare { ty: Option<ValueType>, name: SpannedName, value: ExprId },
    Assign { target: ExprId, op: Option<BinaryOp>, op_span: SourceSpan, value: ExprId },
    If { arms: Vec<(ExprId, Block)>, otherwise: Option<Block> },
    For { name: SpannedName, array: ExprId, body: Block },
    While { condition: ExprId, body: Block },
    Break,
    Continue,
    Return(Option<ExprId>),
    Expr(ExprId),
    Block(Block),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ExprId(u32);

/// The expressions of a program.
#[derive(Debug, Default)]
pub(crate) struct ExprTable(Vec<Expr>);

impl ExprTable {
    pub(crate) fn add(&mut self, expr: Expr) -> ExprId {
        self.0.push(expr);
        ExprId(self.0.len() as u32 - 1)
    }
}

impl Index<ExprId> for ExprTable {
    type Output = Expr;

    fn index(&self, id: ExprId) -> &Expr {
        &self.0[id.0 as usize]
    }
}

#[derive(Debug)]
pub(crate) struct Expr {
    pub(crate) kind: ExprKind,
    pub(crate) span: SourceSpan,
    /// Levels of recursion to walk it. The left operands of a chain of binary operators do not count:
    /// walks go along them in a loop.
    pub(crate) height: u32,
}

#[derive(Debug)]
pub(crate) enum ExprKind {
    Int(i64),
    Bool(bool),
    Text(Arc<[u8]>),
    Data(Arc<[u8]>),
    Name(String),
    Array {
        element: ValueType,
        items: Vec<ExprId>,
    },
    Map {
        key: ValueType,
        value: ValueType,
        items: Vec<(ExprId, ExprId)>,
    },
    Unary {
        op: UnaryOp,
        operand: ExprId,
    },
    Binary {
        op: BinaryOp,
        op_span: SourceSpan,
        left: ExprId,
        right: ExprId,
    },
    Ternary {
        condition: ExprId,
        yes: ExprId,
        no: ExprId,
    },
    Index {
        base: ExprId,
        index: ExprId,
    },
    Call {
        name: SpannedName,
        args: Vec<ExprId>,
    },
    Method {
        receiver: ExprId,
        name: SpannedName,
        args: Vec<ExprId>,
    },
    /// Only as an argument.
    Lambda {
        params: Vec<SpannedName>,
        body: ExprId,
    },
    /// In parentheses: not part of the chain around it.
    Paren(ExprId),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UnaryOp {
    Not,
    Negate,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    And,
    Or,
}

impl BinaryOp {
    pub(crate) fn spelling(self) -> &'static str {
        match self {
            BinaryOp::Add => "+",
            BinaryOp::Sub => "-",
            BinaryOp::Mul => "*",
            BinaryOp::Div => "/",
            BinaryOp::Rem => "%",
            BinaryOp::Equal => "==",
            BinaryOp::NotEqual => "!=",
            BinaryOp::Less => "<",
            BinaryOp::LessEqual => "<=",
            BinaryOp::Greater => ">",
            BinaryOp::GreaterEqual => ">=",
            BinaryOp::And => "&&",
            BinaryOp::Or => "||",
        }
    }
}
