import { checkRequest } from "@/lib/console/check/forward-auth.ts";

export const dynamic = "force-dynamic";

// A proxy sends GET, or the method of its client.
export const GET = checkRequest;
export const HEAD = checkRequest;
export const POST = checkRequest;
export const PUT = checkRequest;
export const PATCH = checkRequest;
export const DELETE = checkRequest;
export const OPTIONS = checkRequest;
