//! The execution block of an HTTP tool: read once, strictly, with errors that name the place.

mod auth;
mod body;
mod fields;
mod headers;
mod pagination;
mod parse;
mod plan;
mod retries;
mod text;
mod url_template;

pub(super) use auth::{Auth, ClientCredentials, CredentialsIn, Source};
pub(super) use body::{BodyTemplate, values};
pub(super) use headers::{check_name, check_value};
pub(super) use pagination::{Pagination, Style};
pub(super) use parse::parse;
pub(super) use plan::{Mapping, MappingTarget, Plan, Preview, Query, StatusRange, egress_of_method};
pub(super) use retries::Retries;
pub(super) use text::{TextTemplate, scalar_text};
pub(super) use url_template::UrlTemplate;
