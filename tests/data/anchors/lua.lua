-- Saves notes.
local M = {}
-- Writes one.
function M.save(note)
  local inner = 1
  return true
end
function M:load() end
local function top() end
M.assigned = function() end
return M
