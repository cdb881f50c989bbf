export { postLinesPreview as POST } from "@/lib/console/lists/lines-preview.ts";
