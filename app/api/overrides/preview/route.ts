export { postOverridePreview as POST } from "@/lib/console/overrides/override-preview.ts";
