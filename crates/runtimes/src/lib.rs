//! One module per kind of tool.
