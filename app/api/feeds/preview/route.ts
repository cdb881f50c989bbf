export { postFeedPreview as POST } from "@/lib/console/feeds/feed-preview.ts";
