import { describe, expect, it } from 'vitest';
import { ENDPOINTS } from '../../support/endpoints.ts';

const STAT_SOURCE = 'name,value,type,percentage,step,permanent';
const NEWS = 'title,url,author,summary,category,categories,image,published_at';
const CODEX_ENTRY = [
  'type,path,name,category,description,tradable,mastery,mastery_geode,power_rank,blueprint,image_url,data.stats,data.abilities',
  'data.recipe.output.path,data.recipe.output.name,data.recipe.output.amount,data.recipe.ingredients,data.recipe.requirements',
  'data.recipe.mastery,data.recipe.mastery_source,data.recipe.mastery_prefab_byte,data.recipe.in_catalogue',
  'data.recipe.catalogue_order,data.recipe.providers,data.style.source_id,data.style.equipment_ref,data.style.resolved_id',
  'data.style.confidence,data.style.family,data.style.catalogue,data.style.raw_category,data.style.base_mastery',
  'data.geode_companion.upgrade_tree,data.geode_companion.rarity,data.geode_companion.levels,indexed_at,stat_value,stat_percent',
  'data.recipe.outputs',
].join();
const BOARD_ENTRY = 'rank,player_name,score,prev_rank,prev_score,rank_delta,score_delta,is_new,delve.depth,delve.minutes';

/** The published order: programs address columns by number, so new columns are appended. */
const PUBLISHED: Readonly<Record<string, string>> = {
  getPowerRankSources: STAT_SOURCE,
  getMagicFindSources: STAT_SOURCE,
  getLightSources: STAT_SOURCE,
  listClasses:
    'tech_name,name,shorts,damage_type,weapons,attributes,stats,bonuses,subclass.name,subclass.description,subclass.level,subclass.power,abilities,levels',
  getNews: NEWS,
  listNewsHistory: NEWS,
  listCodexTypes: 'type,count',
  searchCodexes: CODEX_ENTRY,
  listCodexEntriesByPath: CODEX_ENTRY,
  listCodexEntries: CODEX_ENTRY,
  listCodexChanges: 'path,type,change,ordinal',
  listCodexLinks: 'rel,path,type,name,category,blueprint,image_url,qty,data',
  listCodexStatHolders: 'path,type,name,category,blueprint,image_url,stat,stat_name,value,is_percent,slot',
  listCodexRequirements: 'rank,rank_name,collection,badge_id,completion_kind,requirement_key,label,amount,difficulty,status,context',
  listCodexUpgrades: 'system_kind,system_key,nodes',
  getCodexUpgrade:
    'system_kind,system_key,node_key,rank,costs,requires,effects.name_key,effects.name,effects.desc_key,effects.description,effects.abilities',
  listCodexLanguages: 'code,name,own_name,translated,total',
  listCodexCategories: 'category,count',
  listCodexStatKeys: 'stat,stat_name,count',
  listCodexAbilities: 'ref,name,description,count',
  listLeaderboardEntries: BOARD_ENTRY,
  getLeaderboardHistory: 'player_name,current_rank,created_at,rank,score,synthetic',
  listLeaderboardGains: 'place,rank,player_name,score,prev_rank,prev_score,gain',
  listPlayerRenames:
    'id,from_name,to_name,from_anchor,to_anchor,confidence,matched_boards,evidence.gap_seconds,evidence.boards,evidence.terms.matched_boards,evidence.terms.runnerup_overlap,evidence.terms.board_term,evidence.terms.tightness,evidence.terms.exclusivity,evidence.terms.rarity,evidence.terms.mean_drift_pct,evidence.terms.confidence,evidence.summary,method_version,created_at',
  listDuplicateNames:
    'name,kind,verdict,boards,max_occurrences,spellings,first_anchor,last_anchor,evidence.lookback_days,evidence.boards,evidence.summary,method_version,updated_at',
  listPlayerHistory: `${BOARD_ENTRY},leaderboard,board_name,board.uuid,board.name_id,board.name,board.category_id,board.category,board.contest_type,board.reset_kind,board.player_board,created_at,slot,slots`,
  getPlayerSeries: 'uuid,name,best_rank,slot,slots,created_at,rank,score,synthetic',
  listMarketListings: 'id,name,type,stack,price,price_each,last_seen,created_at,expires_at,expired,image_url',
  getMarketPriceHistory: 'created_at,price_each,last_seen,stack,price',
  getMarketTimeline: 'bucket,listings,stack,p25,p50,p75',
  getCraftingTree:
    'id,parent,depth,path,type,name,image_url,quantity,recipe,times,made,other_recipes,cut,unit_price,buy_cost,make_cost,cost,choice',
  listCodexBuilds: 'ordinal,previous,created_at,added,modified,removed,dump_bytes',
  listCodexBuildChanges: 'path,type,name,change,field,field_change,old,new,difference',
  listMarketArchive: 'month,listings,bytes,sha256,archived_at',
  listMarketSummaries: 'name,count,total_price,total_stack,min_each,max_each,avg_each,median_each',
  listMarketMovers: 'name,recent_med,prior_med,recent_n,prior_n,change',
  listMarketDeals: 'id,name,stack,price,price_each,median_each,sample_size,discount,created_at,last_seen',
  listMarketVolume: 'name,listings,units,total_value,median_each',
  listMarketLiquidity: 'name,concluded,sold,expired,sell_through,median_time_to_sell,days_of_stock',
  search: 'type,name,about,image,link,score,matched.field,matched.words,matched.typos,excerpt',
  suggestNames: 'type,name,about,image,link',
  getActivity: 'uuid,name,category,active_players',
  getActivityHistory: 'window_end,window_start,duration_hours,estimate,estimate_24h,estimate_per_hour',
  getActivitySeries: 't,active,avg,peak,samples',
  getClassActivity: 'class_index,name,icon,active_players,share,active_players_clean,share_clean,effort_added,effort_added_clean',
  getClassActivitySeries: 't,class_index,name,icon,active,active_clean',
};

const TABLES = ENDPOINTS.flatMap(({ spec }) => (spec.table ? [{ id: spec.operationId, columns: spec.table.columns }] : []));

describe('tables of operations', () => {
  it('have a published column order in this test', () => {
    expect(TABLES.map(({ id }) => id).sort()).toEqual(Object.keys(PUBLISHED).sort());
  });

  it.each(TABLES)('keep the published column order: $id', ({ id, columns }) => {
    const names = columns.map(({ name }) => name);
    expect(names.join()).toBe(PUBLISHED[id]);
    expect(new Set(names).size).toBe(names.length);
  });
});
