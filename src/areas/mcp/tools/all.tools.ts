import { changesTool, craftingTool, itemTool, searchCodexTool } from './codex.tools.ts';
import { buildTool, gemTool } from './gems.tools.ts';
import { onNowTool, whenNextTool } from './rotations.tools.ts';
import { searchTool } from './search.tools.ts';
import type { Tool } from './tool.domain.ts';
import { gainsTool, marketTool, newsTool, playerTool, priceTool, statusTool } from './world.tools.ts';

/** Every tool, in the order of `tools/list`. */
export const TOOLS: readonly Tool[] = [
  searchTool,
  onNowTool,
  whenNextTool,
  searchCodexTool,
  itemTool,
  craftingTool,
  changesTool,
  priceTool,
  marketTool,
  playerTool,
  gainsTool,
  statusTool,
  newsTool,
  buildTool,
  gemTool,
];
