import type { Schemas } from "@/api/client";

export type ApiKey = Schemas["KeyResponse"];
export type Secret = Schemas["SecretResponse"];
