-- Part of commit and snapshot: the number of the last change. Other programs may have written the counter: a number that no
-- fleet reaches counts as 0. Then, and where the counter went back, numbers go on from the one beside the head of the audit log:
-- no change gets a number that another one had. Defines lastChange.
local function lastChange(counter, head)
  local function bounded(text)
    local number = text and #text <= 16 and text:match("^%d+$") and tonumber(text)
    return number and number < 2 ^ 52 and number or 0
  end
  local counted = redis.call("TYPE", counter).ok == "string" and redis.call("GET", counter)
  local kept = redis.call("TYPE", head).ok == "hash" and redis.call("HGET", head, "change")
  return math.max(bounded(counted), bounded(kept))
end
