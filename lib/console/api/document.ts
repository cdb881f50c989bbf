/** The OpenAPI document, as far as its own page reads it. */
export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedCall>>>>;
  readonly tags: readonly { readonly name: string }[];
  readonly components: Readonly<Record<string, unknown>>;
  readonly openapi: string;
  readonly info: Readonly<Record<"title" | "version" | "description", string>>;
  readonly servers: readonly { readonly url: string }[];
  readonly security: readonly object[];
}

export interface DocumentedCall {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly "x-sluice-scopes": readonly string[];
  readonly "x-sluice-one-app": boolean;
  readonly parameters: readonly ApiParameter[];
  readonly requestBody?: {
    readonly required: true;
    readonly content: { readonly "application/json": { readonly schema: JsonSchema } };
  };
  readonly responses: Readonly<Record<string, ApiResponse>>;
}

export interface ApiParameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly description?: string;
  readonly schema: JsonSchema;
}

export interface ApiResponse {
  readonly description: string;
  readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>>;
}

export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly JsonSchema[];
  readonly $ref?: string;
}
