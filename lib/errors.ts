/** Every reason for which Sluice refuses to do what it was asked, in one list. */
export type ErrorCode =
  | "bad-input"
  | "locks-the-house"
  | "needs-confirmation"
  | "not-allowed"
  | "not-found"
  | "changed-meanwhile"
  | "not-configured"
  | "redis-unavailable";

/** A refusal that a person can act on. Its message is shown as it is; it never carries a secret. */
export class DomainError extends Error {
  override readonly name = "DomainError";
  readonly code: ErrorCode;
  /** Field, or line and field, to the sentence that belongs beside it. */
  readonly fields: Readonly<Record<string, string>>;

  constructor(code: ErrorCode, message: string, fields: Record<string, string> = {}, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.fields = fields;
  }
}
