//! Documents that are listed, made, read, replaced and deleted whole, by id or name: the five handlers of such a kind.

/// Makes `list`, `create`, `get`, `update` and `delete` of one kind. What varies is named; what each says to OpenAPI follows.
macro_rules! kept_documents {
    (
        $kind:ident, $spec:ident, $params:ident, $listed:ident,
        list: $list:ident $list_path:tt $list_id:tt $list_title:literal,
        create: $create:ident $create_id:tt $create_title:literal,
        get: $find:ident $one_path:tt $get_id:tt $get_title:literal $reference:tt,
        update: $update:ident $update_id:tt $update_title:literal,
        delete: $delete:ident $delete_id:tt $delete_title:literal $delete_note:literal,
    ) => {
        #[derive(serde::Serialize, utoipa::ToSchema)]
        pub(crate) struct $listed {
            items: Vec<$kind>,
        }

        #[doc = $list_title]
        #[utoipa::path(
            get, path = $list_path, tag = "agents", operation_id = $list_id, security(("key" = ["agents:read"])),
            responses((status = 200, description = "Done", body = $listed), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
        )]
        pub(crate) async fn list(
            State(state): State<AppState>,
            Needs(caller, _): Needs<auth::AgentsRead>,
        ) -> Result<Json<$listed>, Problem> {
            Ok(Json($listed { items: state.engine.rules().$list(&caller).await? }))
        }

        #[doc = $create_title]
        #[utoipa::path(
            post, path = $list_path, tag = "agents", operation_id = $create_id, request_body = $params, security(("key" = ["agents:write"])),
            responses((status = 201, description = "Made", body = $kind), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
        )]
        pub(crate) async fn create(
            State(state): State<AppState>,
            Needs(caller, _): Needs<auth::AgentsWrite>,
            StrictJson(spec): StrictJson<$spec>,
        ) -> Result<(StatusCode, Json<$kind>), Problem> {
            Ok((StatusCode::CREATED, Json(state.engine.rules().$create(&caller, spec).await?)))
        }

        #[doc = $get_title]
        #[utoipa::path(
            get, path = $one_path, tag = "agents", operation_id = $get_id, params(("id" = String, Path, description = $reference)), security(("key" = ["agents:read"])),
            responses((status = 200, description = "Done", body = $kind), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
        )]
        pub(crate) async fn get(
            State(state): State<AppState>,
            Needs(caller, _): Needs<auth::AgentsRead>,
            Path(id): Path<String>,
        ) -> Result<Json<$kind>, Problem> {
            Ok(Json(state.engine.rules().$find(&caller, &id).await?))
        }

        #[doc = $update_title]
        #[utoipa::path(
            put, path = $one_path, tag = "agents", operation_id = $update_id, params(("id" = String, Path, description = $reference)), request_body = $params, security(("key" = ["agents:write"])),
            responses((status = 200, description = "Done", body = $kind), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
        )]
        pub(crate) async fn update(
            State(state): State<AppState>,
            Needs(caller, _): Needs<auth::AgentsWrite>,
            Path(id): Path<String>,
            StrictJson(spec): StrictJson<$spec>,
        ) -> Result<Json<$kind>, Problem> {
            let id = state.engine.rules().$find(&caller, &id).await?.id;
            Ok(Json(state.engine.rules().$update(&caller, id, spec).await?))
        }

        #[doc = $delete_title]
        #[doc = ""]
        #[doc = $delete_note]
        #[utoipa::path(
            delete, path = $one_path, tag = "agents", operation_id = $delete_id, params(("id" = String, Path, description = $reference)), security(("key" = ["agents:write"])),
            responses((status = 204, description = "Done"), (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json"))
        )]
        pub(crate) async fn delete(
            State(state): State<AppState>,
            Needs(caller, _): Needs<auth::AgentsWrite>,
            Path(id): Path<String>,
        ) -> Result<StatusCode, Problem> {
            let id = state.engine.rules().$find(&caller, &id).await?.id;
            state.engine.rules().$delete(&caller, id).await?;
            Ok(StatusCode::NO_CONTENT)
        }
    };
}

pub(super) use kept_documents;
