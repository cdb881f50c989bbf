-- Part of ban, commit and snapshot: the number of the last change. Anybody may have written there: what is no number is none.
local function lastChange(counter)
  local text = redis.call("TYPE", counter).ok == "string" and redis.call("GET", counter)
  return text and #text < 16 and text:match("^%d+$") and tonumber(text) or 0
end
