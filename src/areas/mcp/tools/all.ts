import type { Tool } from '../tool.ts';
import { itemTool, searchCodexTool } from './codex.tools.ts';
import { buildTool, gemTool } from './gems.tools.ts';
import { onNowTool, whenNextTool } from './rotations.tools.ts';
import { newsTool, playerTool, priceTool, statusTool } from './world.tools.ts';

/** Every tool, in the order of `tools/list`. */
export const TOOLS: readonly Tool[] = [
  onNowTool,
  whenNextTool,
  searchCodexTool,
  itemTool,
  priceTool,
  playerTool,
  statusTool,
  newsTool,
  buildTool,
  gemTool,
];
