-- Part of ban, commit and announced-write: names the written keys in the stream of changes, for nodes whose Redis has no client tracking.
-- Without the stream (another type, an account without the right) such nodes still see the number, and read everything again.
-- Defines announce.
local function announce(stream, change, written)
  local kept = 1000
  redis.pcall("XADD", stream, "MAXLEN", "~", kept, "*", "change", change, "keys", cjson.encode(written))
end
