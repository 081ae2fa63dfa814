"""Types of the bodies of the Game Data API, by the name of their schema in the OpenAPI document.

Written by `npm run clients -- types`: do not edit.
"""

# Document: 6bae22742e08f2e2484de151880844f04a168d6de236cc2d345b2ee3f42e4172
from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypedDict, Union

# Annotations are never evaluated, so programs on Python 3.10 run without typing_extensions.
if sys.version_info >= (3, 11):
    from typing import NotRequired
elif TYPE_CHECKING:
    from typing_extensions import NotRequired


class Activity(TypedDict):
    """Estimate of active players."""

    window_start: Union[int, None]
    window_end: Union[int, None]
    duration_hours: Union[float, None]
    estimate: Union[int, None]
    estimate_24h: Union[int, None]
    estimate_7d: Union[int, None]
    window_24h_start: Union[int, None]
    window_7d_start: Union[int, None]
    span_24h_hours: Union[float, None]
    span_7d_hours: Union[float, None]
    by_board: list[ActivityBoard]
    boards_analyzed: int
    methodology: str
    computed_at: int


class ActivityBackfill(TypedDict):
    """An activity backfill."""

    accepted: bool
    total_days: int
    force: bool
    reset: bool
    message: str
    chunk_days: int


class ActivityBoard(TypedDict):
    """Activity on one leaderboard."""

    uuid: int
    name: str
    category: str
    active_players: int


class ActivityExtreme(TypedDict):
    """Maximum or minimum of the series."""

    t: int
    active: float


class ActivityHistory(TypedDict):
    """Activity by capture."""

    days: int
    window_start: int
    window_end: int
    points: list[ActivityHistoryPoint]
    methodology: str


class ActivityHistoryPoint(TypedDict):
    """Activity between two captures."""

    window_end: int
    window_start: int
    duration_hours: float
    estimate: int
    estimate_24h: Union[int, None]
    estimate_per_hour: float


class ActivityMessage(TypedDict):
    """A `activity` message."""

    type: Literal["activity"]
    data: Activity
    ts: int


ActivityPeriod: TypeAlias = Literal["1d", "7d", "1m", "3m", "6m", "1y", "all"]

class ActivitySeries(TypedDict):
    """Active players in 24 hours, over a period."""

    period: ActivityPeriod
    bucket_seconds: int
    window_start: int
    window_end: int
    points: list[ActivitySeriesPoint]
    peak: Union[ActivityExtreme, None]
    low: Union[ActivityExtreme, None]
    average: Union[float, None]
    latest: Union[int, None]
    methodology: str


class ActivitySeriesPoint(TypedDict):
    """Active players in 24 hours, aggregated over the captures of a bucket."""

    t: int
    active: float
    avg: float
    peak: float
    samples: int


class AltCluster(TypedDict):
    """Names that may belong to one person. This has other possible causes, such as a guild that plays together."""

    stem: str
    label: str
    method: AltClusterMethod
    corroborated_by: list[AltClusterSignal]
    member_count: int
    members: list[str]
    members_truncated: int
    board_count: int
    boards: list[AltClusterBoard]
    confidence: float
    summary: str
    measurements: dict[str, Union[float, bool, str, None]]


class AltClusterBoard(TypedDict):
    """Members of a cluster on one board."""

    uuid: int
    name: str
    category: str
    contest_type: Union[LeaderboardContestKind, None]
    members: int
    member_names: list[str]
    score_min: Union[float, None]
    score_max: Union[float, None]
    spread: Union[float, None]
    rank_min: Union[float, None]
    rank_max: Union[float, None]
    matching_hours: Union[float, None]
    avg_hourly_gain: Union[float, None]


AltClusterMethod: TypeAlias = Literal["name_stem", "co_movement", "schedule", "both"]

AltClusterSignal: TypeAlias = Literal["co_movement", "schedule", "name_stem", "footprint"]

class AnalyzedBoard(TypedDict):
    """An analysed board."""

    uuid: int
    name: str
    category: str
    reset_kind: AnalyzedResetKind
    contest_type: Union[LeaderboardContestKind, None]
    entries: int


AnalyzedResetKind: TypeAlias = Literal["daily", "weekly", "default", "none"]

AnnouncementSeverity: TypeAlias = Literal["info", "maintenance", "degraded", "outage"]

class AnnouncementUpdate(TypedDict):
    """What the operator wrote at a time."""

    at: int
    text: str


class AnomalyBoard(TypedDict):
    """Anomalies of a player on one board."""

    uuid: int
    name: str
    category: str
    contest_type: Union[LeaderboardContestKind, None]
    rank: int
    score: float
    confidence: float
    evidence: list[AnomalyEvidence]


class AnomalyConfig(TypedDict):
    """Applied thresholds."""

    z_threshold: float
    velocity_multiplier: float
    min_board_size: int


class AnomalyEvidence(TypedDict):
    """An anomaly."""

    type: AnomalyEvidenceType
    summary: str
    measurements: dict[str, Union[float, bool]]
    confidence: float


AnomalyEvidenceType: TypeAlias = Literal["score_outlier", "rank_gap", "velocity_outlier", "sustained_velocity"]

class AnomalyPlayer(TypedDict):
    """A player with anomalies."""

    player_name: str
    confidence: float
    leaderboards: list[AnomalyBoard]


class ApiChange(TypedDict):
    """One change."""

    kind: str
    text: str
    breaking: bool


class ApiError(TypedDict):
    """The envelope of every error."""

    error: dict[str, Any]


class ApiRelease(TypedDict):
    """A release of the API."""

    date: Union[str, None]
    changes: list[ApiChange]


class ArchiveBranch(TypedDict):
    """A branch of the game."""

    branch: str
    current_version: Union[str, None]
    current_ordinal: int
    last_probe_at: Union[str, None]
    status: ArchiveBranchStatus
    file_count: int


ArchiveBranchStatus: TypeAlias = Literal["idle", "syncing", "error"]

class ArchiveBranches(TypedDict):
    """Archived branches."""

    items: list[ArchiveBranch]
    count: int


class ArchiveChange(TypedDict):
    """A file that changed."""

    path: str
    type: ChangeType
    content_sha256: Union[str, None]
    size: int


ArchiveChanges = TypedDict(
    "ArchiveChanges",
    {
        "branch": "str",
        "ordinal": "int",
        "version_tag": "str",
        "from": "NotRequired[int]",
        "to": "NotRequired[int]",
        "entries": "list[ArchiveChange]",
        "count": "int",
        "total": "int",
        "files_added": "int",
        "files_modified": "int",
        "files_removed": "int",
    },
)

class ArchiveDiffHunk(TypedDict):
    """Changed lines with up to three lines of context."""

    left_start: int
    right_start: int
    lines: list[ArchiveDiffLine]


class ArchiveDiffLine(TypedDict):
    """A line of a hunk."""

    kind: ArchiveDiffLineKind
    left: Union[int, None]
    right: Union[int, None]
    text: str


ArchiveDiffLineKind: TypeAlias = Literal["equal", "add", "remove"]

class ArchiveFileChange(TypedDict):
    """A change of the file."""

    ordinal: int
    version_tag: str
    captured_at: str
    type: ChangeType
    content_sha256: Union[str, None]
    size: int


ArchiveFileComparison = TypedDict(
    "ArchiveFileComparison",
    {
        "branch": "str",
        "path": "str",
        "from": "dict[str, Any]",
        "to": "dict[str, Any]",
        "identical": "bool",
        "is_text": "bool",
        "reason": "Union[str, None]",
        "hunks": "list[ArchiveDiffHunk]",
    },
)

class ArchiveFileHistory(TypedDict):
    """Changes of a file."""

    branch: str
    path: str
    items: list[ArchiveFileChange]
    count: int


ArchiveFileKind: TypeAlias = Literal["text", "image", "dds", "blueprint", "swf", "bnk", "pkfx", "binary", "too_large", "missing"]

class ArchiveFileMeta(TypedDict):
    """Metadata of a file."""

    branch: str
    path: str
    ordinal: NotRequired[int]
    content_sha256: str
    size: int
    archive: Union[str, None]
    archive_index: Union[int, None]
    removed: bool
    removed_ordinal: Union[int, None]


class ArchiveFileView(TypedDict):
    """Preview of a file."""

    branch: str
    path: str
    size: int
    content_sha256: str
    removed: bool
    removed_ordinal: Union[int, None]
    viewable: bool
    kind: ArchiveFileKind
    reason: Union[str, None]
    truncated: bool
    text: Union[str, None]


class ArchiveFoundPath(TypedDict):
    """A file whose path contains the text."""

    path: str
    size: int
    last_ordinal: int


class ArchiveSearch(TypedDict):
    """A page of search results."""

    branch: str
    query: str
    ordinal: NotRequired[int]
    items: list[ArchiveFoundPath]
    count: int
    total: int
    total_is_minimum: bool


class ArchiveTree(TypedDict):
    """The children of a directory."""

    branch: str
    prefix: str
    ordinal: NotRequired[int]
    entries: list[ArchiveTreeEntry]
    count: int
    next_cursor: Union[str, None]


class ArchiveTreeEntry(TypedDict):
    """A child of a directory."""

    name: str
    path: str
    is_dir: bool
    file_count: int
    size: int
    last_ordinal: int
    last_modified_at: Union[str, None]


class ArchiveVersion(TypedDict):
    """A captured version of the game."""

    branch: str
    ordinal: int
    version_tag: str
    captured_at: str
    completed_at: Union[str, None]
    files_added: int
    files_modified: int
    files_removed: int
    bytes_added: int


class ArchiveVersions(TypedDict):
    """A page of the history of a branch."""

    items: list[ArchiveVersion]
    count: int
    total: int


class AttachedRelease(TypedDict):
    """A release that a lookup attaches to its mod, whose long texts are cut."""

    id: str
    tag: str
    branch: str
    title: str
    changelog: str
    title_i18n: Translations
    changelog_i18n: Translations
    format: ModFormat
    filename: str
    size: int
    sha256: str
    download_count: int
    download_url: str
    published_at: str
    truncated: list[str]


class Biome(TypedDict):
    """A biome of the game."""

    name: str
    final_name: str
    icon: str


class BiomeRotation(TypedDict):
    """The biomes of one window."""

    starts_at: int
    ends_at: int
    biomes: list[Biome]


class BiomeRotations(TypedDict):
    """Biomes of the current and upcoming windows."""

    current: Union[BiomeRotation, None]
    upcoming: list[BiomeRotation]


BoardExclusionReason: TypeAlias = Literal["admin_excluded", "below_min_size"]

BoardSort: TypeAlias = Literal["order", "name", "uuid"]

BranchName: TypeAlias = Literal["live-us", "pts"]

BuildAlly: TypeAlias = Literal["spidermonkey_heckbug", "venturous_vivian", "goat_pinata_moontouched", "phoenix_stars", "spidermonkey_stars", "quarble_stars", "boot_clown"]

class BuildBoosts(TypedDict):
    """Boost layout of a full gem set."""

    empowered: list[int]
    lesser: list[int]
    cosmic_empowered: list[int]
    cosmic_lesser: list[int]


class BuildChoice(TypedDict):
    """A food or an ally."""

    key: str
    label: str


class BuildConfig(TypedDict):
    """A fully equipped character. All fields are optional."""

    build_type: NotRequired[Union[BuildType, None]]
    character: NotRequired[Union[ClassName, None]]
    subclass: NotRequired[Union[ClassName, None]]
    food: NotRequired[Union[BuildFood, None]]
    ally: NotRequired[Union[BuildAlly, None]]
    critical_damage_count: NotRequired[Union[int, None]]
    no_face: NotRequired[Union[bool, None]]
    subclass_active: NotRequired[Union[bool, None]]
    litany: NotRequired[Union[bool, None]]
    berserker_battler: NotRequired[Union[bool, None]]
    light: NotRequired[Union[int, None]]
    star_chart: NotRequired[Union[str, None]]
    ally_buff: NotRequired[Union[bool, None]]
    bounty_hunt: NotRequired[Union[bool, None]]
    high_precision: NotRequired[Union[bool, None]]


BuildFood: TypeAlias = Literal["zephyr_rune", "delve_freerange", "fishing_phys_3_base", "fishing_spell_3_base"]

class BuildOptions(TypedDict):
    """Possible values of a build."""

    build_type: list[BuildType]
    character: list[str]
    ally: list[BuildChoice]
    food: list[BuildChoice]
    critical_damage_count: dict[str, Any]
    flags: list[str]
    notes: dict[str, str]


class BuildResults(TypedDict):
    """Layouts of a build, best first."""

    results: list[BuildRow]
    count: int


class BuildRow(TypedDict):
    """A boost layout with the resulting figures."""

    rank: int
    layout: str
    base_dmg: float
    crit_dmg: float
    light: float
    bonus_dmg: float
    crit_bonus: float
    total_dmg: float
    class_bonus: Union[float, None]
    coefficient: float
    boosts: BuildBoosts


BuildType: TypeAlias = Literal["Light", "Farm", "Health"]

class Calendar(TypedDict):
    """All recurring rotations around a point in time."""

    starts_at: int
    ends_at: int
    generated_at: int
    count: int
    events: list[CalendarEvent]


class CalendarBiome(TypedDict):
    """A biome of a calendar event."""

    name: str
    icon: str


class CalendarEvent(TypedDict):
    """One occurrence of a rotation."""

    type: CalendarEventType
    name: str
    starts_at: int
    ends_at: int
    color: NotRequired[str]
    state: NotRequired[FluxionWindowState]
    biomes: NotRequired[list[CalendarBiome]]


CalendarEventType: TypeAlias = Literal["corruxion", "fluxion", "gardening_2", "gardening_3", "mana", "stampy", "weekly_buff", "luxion"]

class CaptureInsert(TypedDict):
    """A reported name."""

    name: str


class CaptureInserted(TypedDict):
    """Result of the report."""

    anchor: int
    name: str
    refreshed: bool


class Challenge(TypedDict):
    """The current or last challenge window."""

    starts_at: int
    ends_at: int
    active: bool
    is_friday_window: bool
    seconds_remaining: int
    name: Union[str, None]
    type: Union[ChallengeType, None]
    captured_at: Union[str, None]


class ChallengeHistory(TypedDict):
    """A page of challenges."""

    items: list[ChallengeHistoryItem]
    count: int
    total: int
    next_cursor: Union[str, None]


class ChallengeHistoryItem(TypedDict):
    """The challenge of one window."""

    window_anchor: int
    window_ends_at: int
    name: str
    type: ChallengeType
    is_friday_window: bool
    captured_at: str


class ChallengeMessage(TypedDict):
    """A `challenge` message."""

    type: Literal["challenge"]
    data: Challenge
    ts: int


ChallengeType: TypeAlias = Literal["collection", "rampage", "racing", "target", "dungeon"]

ChangeType: TypeAlias = Literal["added", "modified", "removed"]

class Changelog(TypedDict):
    """Changes of the API, newest first."""

    items: list[ApiRelease]
    count: int


class ChaosChest(TypedDict):
    """The chaos chest of the week."""

    active: bool
    starts_at: int
    ends_at: int
    seconds_remaining: int
    item: Union[ChaosChestItem, None]
    fetched_at: Union[str, None]


class ChaosChestHistory(TypedDict):
    """A page of featured items."""

    items: list[ChaosChestHistoryItem]
    count: int
    total: int
    next_cursor: Union[str, None]


class ChaosChestHistoryItem(TypedDict):
    """The featured item of one week."""

    week_anchor: int
    week_ends_at: int
    name: str
    image_url: Union[str, None]
    captured_at: str


class ChaosChestItem(TypedDict):
    """The item featured in a chaos chest."""

    name: str
    identifier: Union[str, None]
    blueprint: Union[str, None]
    image_url: Union[str, None]


class ChaosMessage(TypedDict):
    """A `chaos` message."""

    type: Literal["chaos"]
    data: ChaosChest
    ts: int


class CharacterSheet(TypedDict):
    """Stats of a screenshot."""

    stats: dict[str, Any]
    matched: int
    total_known: int
    lines: list[str]


class ChatTimestampCode(TypedDict):
    """A timestamp code that chat programs render in the local time of the reader."""

    style: ChatTimestampStyle
    label: str
    code: str


ChatTimestampStyle: TypeAlias = Literal["t", "T", "d", "D", "f", "F", "R"]

class Class(TypedDict):
    """A playable class, as raw game data."""

    tech_name: str
    name: str
    shorts: list[str]
    damage_type: ClassDamageType
    weapons: list[ClassWeapon]
    attributes: list[str]
    stats: list[ClassStat]
    bonuses: list[ClassBonus]
    levels: NotRequired[dict[str, list[ClassLevelStat]]]
    subclass: Subclass
    abilities: list[ClassAbility]


class ClassAbility(TypedDict):
    """An ability of a class."""

    name: str
    prefab: Union[str, None]
    icon: str
    type: str
    active: bool
    energy: NotRequired[float]
    cooldown: NotRequired[float]
    healing: NotRequired[list[ClassAbilityHealing]]
    effects: NotRequired[list[ClassAbilityEffect]]
    stages: list[ClassAbilityStage]


class ClassAbilityEffect(TypedDict):
    """An effect of an ability that changes stats."""

    prefab: str
    duration: Union[float, None]
    stats: list[ClassLevelStat]


class ClassAbilityHealing(TypedDict):
    """What an ability heals or restores, each time."""

    prefab: str
    health: float
    max_health_percent: float
    energy: float
    max_energy_percent: float


class ClassAbilityStage(TypedDict):
    """One hit of an ability."""

    name: str
    base: float
    multiplier: float
    prefab: NotRequired[str]
    max_health_percent: NotRequired[float]
    crit_chance_bonus: NotRequired[float]


class ClassActivity(TypedDict):
    """Players by class."""

    window_start: Union[int, None]
    window_end: Union[int, None]
    duration_hours: None
    total_active: int
    total_active_clean: Union[int, None]
    total_effort_added: Union[int, None]
    total_effort_added_clean: Union[int, None]
    power_rank_threshold: int
    effort_threshold: int
    xp_threshold: int
    classes: list[ClassActivityItem]
    methodology: str
    computed_at: int


class ClassActivityBackfill(TypedDict):
    """A class activity backfill."""

    accepted: bool
    total_days: int
    force: bool
    reset: bool
    message: str


class ClassActivityItem(TypedDict):
    """Activity of one class."""

    class_index: int
    name: str
    icon: Union[str, None]
    active_players: int
    share: float
    active_players_clean: Union[int, None]
    share_clean: Union[float, None]
    effort_added: Union[int, None]
    effort_added_clean: Union[int, None]


class ClassActivityLine(TypedDict):
    """Activity of one class over time."""

    class_index: int
    name: str
    icon: Union[str, None]
    values: list[Union[float, None]]
    values_clean: list[Union[float, None]]


class ClassActivitySeries(TypedDict):
    """Players active within 24 hours per class, over a period."""

    period: ActivityPeriod
    bucket_seconds: int
    window_start: int
    window_end: int
    power_rank_threshold: int
    effort_threshold: int
    xp_threshold: int
    buckets: list[int]
    classes: list[ClassActivityLine]
    methodology: str


class ClassBonus(TypedDict):
    """Bonus of a class on one of its own stats."""

    name: str
    value: float
    percentage: bool
    absolute: bool


ClassDamageType: TypeAlias = Literal["Physical", "Magic"]

class ClassLevelStat(TypedDict):
    """What a class gains on a stat at a level."""

    name: str
    value: Union[float, None]
    percentage: bool
    absolute: bool


ClassName: TypeAlias = Literal["Bard", "Boomeranger", "Candy Barbarian", "Chloromancer", "Dino Tamer", "Dracolyte", "Fae Trickster", "Gunslinger", "Ice Sage", "Knight", "Lunar Lancer", "Neon Ninja", "Pirate Captain", "Revenant", "Shadow Hunter", "Solarion", "Tomb Raiser", "Vanguardian"]

class ClassStat(TypedDict):
    """A stat of a class."""

    name: str
    value: Union[float, None]
    percentage: bool
    absolute: bool


ClassTechName: TypeAlias = Literal["bard", "adventurer", "candybarbarian", "chloromancer", "dinotamer", "dracolyte", "faetrickster", "gunslinger", "icemage", "knight", "lunarlancer", "neonninja", "piratelord", "spirittank", "shadowhunter", "solarion", "tombraiser", "crimefighter"]

ClassWeapon: TypeAlias = Literal["Sword", "Bow", "Gun", "Staff", "Spear", "Fist"]

class Classes(TypedDict):
    """All playable classes."""

    items: list[Class]
    count: int


class ClientappAsset(TypedDict):
    """A file of a release."""

    name: str
    url: str
    size: int
    content_type: Union[str, None]
    download_count: int


class ClientappChangelog(TypedDict):
    """Changes of the companion app by version."""

    repo: str
    groups: list[ClientappChangelogGroup]
    rate_limited: bool
    fetched_at: str


class ClientappChangelogGroup(TypedDict):
    """Changes in a version."""

    version: str
    commits: list[ClientappCommit]


ClientappChannel: TypeAlias = Literal["release", "beta"]

class ClientappCheck(TypedDict):
    """Result of an update check."""

    installed: str
    channel: ClientappChannel
    platform: ClientappPlatform
    update_available: bool
    comparable: bool
    latest: Union[ClientappPlatformRelease, None]


class ClientappCommit(TypedDict):
    """A change of the companion app."""

    sha: str
    short_sha: str
    message: str
    type: Union[str, None]
    url: str


class ClientappLatest(TypedDict):
    """The newest release for each platform."""

    channel: ClientappChannel
    platforms: dict[str, Any]


ClientappPlatform: TypeAlias = Literal["windows", "linux", "android"]

class ClientappPlatformRelease(TypedDict):
    """The newest release that has a file for the platform."""

    platform: ClientappPlatform
    release: ClientappReleaseMeta
    assets: list[ClientappAsset]


class ClientappRelease(TypedDict):
    """A release with its files."""

    release_id: int
    tag_name: str
    name: str
    body: str
    html_url: str
    prerelease: bool
    channel: ClientappChannel
    published_at: str
    fetched_at: str
    assets: list[ClientappAsset]


class ClientappReleaseMeta(TypedDict):
    """A release without its files."""

    release_id: int
    tag_name: str
    name: str
    body: str
    html_url: str
    prerelease: bool
    channel: ClientappChannel
    published_at: str
    fetched_at: str


class ClientappReleases(TypedDict):
    """Releases of the companion app."""

    channel: Union[ClientappChannel, None]
    items: list[ClientappRelease]
    count: int
    total: int


class CodexAbilities(TypedDict):
    """Abilities shown by entries of a type."""

    branch: str
    type: CodexTypeName
    items: list[CodexAbility]
    count: int


class CodexAbility(TypedDict):
    """An ability with the number of entries that show it."""

    ref: str
    name: str
    description: str
    count: int


class CodexAbilityItem(TypedDict):
    """An ability referenced by an entry."""

    ref: str
    hidden: bool
    name: NotRequired[str]
    key: NotRequired[str]
    description: NotRequired[str]


class CodexBuild(TypedDict):
    """An indexed version with the number of changed entries."""

    ordinal: int
    previous: Union[int, None]
    created_at: int
    added: int
    modified: int
    removed: int
    dump_bytes: int


class CodexBuildChanges(TypedDict):
    """Changed entries of a version, field by field."""

    branch: str
    ordinal: int
    previous: Union[int, None]
    created_at: int
    added: int
    modified: int
    removed: int
    items: list[CodexEntryChange]
    count: int
    total: int


class CodexBuilds(TypedDict):
    """The kept builds of a branch."""

    branch: str
    items: list[CodexBuild]
    count: int


class CodexCategories(TypedDict):
    """The categories of a type."""

    branch: str
    type: CodexTypeName
    items: list[CodexCategory]
    count: int


class CodexCategory(TypedDict):
    """A category with its number of entries."""

    category: str
    count: int


class CodexChange(TypedDict):
    """The newest change of an entry."""

    path: str
    type: CodexTypeName
    change: ChangeType
    ordinal: int


class CodexChanges(TypedDict):
    """Entries that changed after a version."""

    branch: str
    since: int
    ordinal: int
    items: list[CodexChange]
    count: int
    total: int


class CodexCompanion(TypedDict):
    """A geode companion."""

    upgrade_tree: Union[str, None]
    rarity: Union[str, None]
    levels: list[CodexCompanionLevel]


class CodexCompanionAbility(TypedDict):
    """An ability of a level."""

    ref: str
    key: Union[str, None]
    amount: int
    description: NotRequired[str]


class CodexCompanionLevel(TypedDict):
    """A level of a companion."""

    level: int
    stats: list[CodexCompanionStat]
    abilities: list[CodexCompanionAbility]


class CodexCompanionStat(TypedDict):
    """A stat of a level."""

    stat: str
    stat_id: int
    stat_name: str
    amount: float
    value: float
    is_percent: bool


class CodexEntries(TypedDict):
    """A page of a codex."""

    branch: str
    type: CodexTypeName
    items: list[CodexEntry]
    count: int
    total: int


class CodexEntry(TypedDict):
    """A codex entry. `fields` reduces it to `type`, `path` and the named fields."""

    type: CodexTypeName
    path: str
    name: NotRequired[str]
    category: NotRequired[str]
    description: NotRequired[str]
    tradable: NotRequired[Union[bool, None]]
    mastery: NotRequired[Union[int, None]]
    mastery_geode: NotRequired[Union[int, None]]
    power_rank: NotRequired[Union[int, None]]
    blueprint: NotRequired[Union[str, None]]
    image_url: NotRequired[Union[str, None]]
    data: NotRequired[CodexEntryData]
    indexed_at: NotRequired[str]
    stat_value: NotRequired[Union[float, None]]
    stat_percent: NotRequired[bool]


class CodexEntryChange(TypedDict):
    """An entry that differs from the version before."""

    type: str
    path: str
    name: str
    change: ChangeType
    fields: list[CodexFieldChange]


class CodexEntryData(TypedDict):
    """Type-specific data; empty if the type has none."""

    stats: NotRequired[list[CodexStatItem]]
    abilities: NotRequired[list[CodexAbilityItem]]
    recipe: NotRequired[CodexRecipe]
    style: NotRequired[CodexStyle]
    geode_companion: NotRequired[CodexCompanion]


CodexEntryField: TypeAlias = Literal["type", "path", "name", "category", "description", "tradable", "mastery", "mastery_geode", "power_rank", "blueprint", "image_url", "data", "indexed_at"]

class CodexEntryList(TypedDict):
    """Entries by path."""

    branch: str
    items: list[CodexEntry]
    missing: list[str]
    count: int


class CodexFieldChange(TypedDict):
    """A changed field of an entry."""

    field: str
    change: CodexFieldChangeType
    old: NotRequired[Any]
    new: NotRequired[Any]
    difference: NotRequired[float]
    added: NotRequired[list[Any]]
    removed: NotRequired[list[Any]]


CodexFieldChangeType: TypeAlias = Literal["added", "removed", "changed"]

class CodexLanguage(TypedDict):
    """A language with its number of translated entries."""

    code: str
    name: str
    own_name: str
    translated: int
    total: int


class CodexLanguages(TypedDict):
    """Languages of names and descriptions."""

    branch: str
    items: list[CodexLanguage]
    count: int


class CodexLink(TypedDict):
    """A relation, as seen from its source."""

    rel: CodexLinkRel
    path: str
    type: Union[str, None]
    name: str
    category: str
    blueprint: Union[str, None]
    image_url: Union[str, None]
    qty: Union[float, None]
    data: dict[str, str]


CodexLinkDirection: TypeAlias = Literal["out", "in"]

CodexLinkRel: TypeAlias = Literal["crafts", "ingredient", "craftable_at", "unlocks", "upgrade_cost", "member_of"]

class CodexLinks(TypedDict):
    """A page of the relations of a path."""

    branch: str
    path: str
    direction: CodexLinkDirection
    items: list[CodexLink]
    count: int
    total: int


CodexMasterySource: TypeAlias = Literal["multipliers", "prefab", "review"]

class CodexRecipe(TypedDict):
    """A recipe."""

    output: Union[CodexRecipePart, None]
    outputs: list[CodexRecipePart]
    ingredients: list[CodexRecipePart]
    requirements: list[str]
    mastery: Union[int, None]
    mastery_source: CodexMasterySource
    mastery_prefab_byte: NotRequired[int]
    in_catalogue: bool
    catalogue_order: NotRequired[int]
    providers: NotRequired[list[CodexRecipeProvider]]


CodexRecipeLane: TypeAlias = Literal["profession", "bench", "vendor", "guide", "interactive", "other"]

class CodexRecipePart(TypedDict):
    """An ingredient or product of a recipe."""

    path: str
    name: str
    amount: float


class CodexRecipeProvider(TypedDict):
    """A crafting station of a recipe."""

    provider: str
    provider_path: str
    lane: CodexRecipeLane


class CodexRequirement(TypedDict):
    """A rank of a badge."""

    rank: int
    rank_name: str
    collection: str
    badge_id: str
    completion_kind: str
    requirement_key: str
    label: str
    amount: Union[int, None]
    difficulty: int
    status: CodexRequirementStatus
    context: dict[str, Union[str, float]]


CodexRequirementStatus: TypeAlias = Literal["decoded", "blocked"]

class CodexRequirements(TypedDict):
    """The ladder of a badge."""

    branch: str
    collection: str
    items: list[CodexRequirement]
    count: int


class CodexSearch(TypedDict):
    """A page of search results."""

    branch: str
    type: Union[str, None]
    query: Union[str, None]
    items: list[CodexEntry]
    count: int
    total: int


CodexSort: TypeAlias = Literal["name", "-name", "category", "-category", "mastery", "-mastery", "mastery_geode", "-mastery_geode", "power_rank", "-power_rank", "indexed_at", "-indexed_at", "stat_value", "-stat_value"]

class CodexStatHolder(TypedDict):
    """An entry that grants a stat."""

    path: str
    type: CodexTypeName
    name: str
    category: str
    blueprint: Union[str, None]
    image_url: Union[str, None]
    stat: str
    stat_name: str
    value: Union[float, None]
    is_percent: bool
    slot: Union[str, None]


class CodexStatHolders(TypedDict):
    """A page of entries that grant a stat."""

    branch: str
    stat: str
    items: list[CodexStatHolder]
    count: int
    total: int


class CodexStatItem(TypedDict):
    """A modifier of a stat."""

    stat: str
    stat_id: Union[int, None]
    stat_name: str
    operation: str
    amount: float
    value: float
    is_percent: bool
    label: str
    slot: Union[str, None]
    slot_name: NotRequired[str]
    component: int
    level: int


class CodexStatKey(TypedDict):
    """A stat with the number of entries that grant it."""

    stat: str
    stat_name: str
    count: int


class CodexStatKeys(TypedDict):
    """Stats granted by entries of a type."""

    branch: str
    type: CodexTypeName
    items: list[CodexStatKey]
    count: int


class CodexStyle(TypedDict):
    """A style of equipment."""

    source_id: str
    equipment_ref: str
    resolved_id: str
    confidence: Literal["high"]
    family: Union[str, None]
    catalogue: NotRequired[str]
    raw_category: NotRequired[int]
    base_mastery: NotRequired[int]


class CodexTypeCount(TypedDict):
    """A type with its number of entries."""

    type: CodexTypeName
    count: int


CodexTypeName: TypeAlias = Literal["fish", "memento", "ally", "mount", "badge", "wings", "aura", "boat", "sail", "flask", "tome", "magrider", "fishingpole", "skin", "style", "recipe", "item", "dragon"]

class CodexTypes(TypedDict):
    """Types with entries."""

    branch: str
    items: list[CodexTypeCount]
    count: int


class CodexUpgrade(TypedDict):
    """A progression system."""

    branch: str
    system_key: str
    items: list[CodexUpgradeNode]
    count: int


class CodexUpgradeCost(TypedDict):
    """A cost."""

    item: str
    quantity: int


class CodexUpgradeEffects(TypedDict):
    """Rewards of a node; empty if unknown."""

    name_key: NotRequired[Union[str, None]]
    name: NotRequired[str]
    desc_key: NotRequired[Union[str, None]]
    description: NotRequired[str]
    abilities: NotRequired[list[str]]


class CodexUpgradeNode(TypedDict):
    """A node of a progression system."""

    system_kind: CodexUpgradeSystemKind
    system_key: str
    node_key: str
    rank: Union[int, None]
    costs: list[CodexUpgradeCost]
    requires: list[str]
    effects: CodexUpgradeEffects


class CodexUpgradeSystem(TypedDict):
    """A progression system."""

    system_kind: CodexUpgradeSystemKind
    system_key: str
    nodes: int


CodexUpgradeSystemKind: TypeAlias = Literal["geode_module", "geode_companion", "class_prestige"]

class CodexUpgrades(TypedDict):
    """The progression systems."""

    branch: str
    items: list[CodexUpgradeSystem]
    count: int


class Coefficient(TypedDict):
    """Damage of a critical hit."""

    coefficient: int
    damage_used: CoefficientDamage
    formula: Literal["floor(max(physical_damage, magic_damage) * (1 + critical_damage / 100))"]


CoefficientDamage: TypeAlias = Literal["physical", "magic"]

class CoefficientInput(TypedDict):
    """Stats of a character."""

    physical_damage: NotRequired[Union[float, None]]
    magic_damage: NotRequired[Union[float, None]]
    critical_damage: float


class CommunityEvent(TypedDict):
    """An event of the community calendar."""

    event_id: str
    name: str
    url: str
    category: str
    image: Union[str, None]
    icon: Union[str, None]
    lookup: Union[str, None]
    starts_at: int
    ends_at: int
    status: CommunityEventStatus
    seconds_until: int


CommunityEventStatus: TypeAlias = Literal["upcoming", "ongoing", "ended"]

class CommunityEvents(TypedDict):
    """Events of the community calendar."""

    items: list[CommunityEvent]
    count: int


class Corruxion(TypedDict):
    """Visits of the Corruxion merchant."""

    active: bool
    starts_at: int
    ends_at: int
    seconds_remaining: int
    schedule: list[MerchantVisit]


class CorruxionMessage(TypedDict):
    """A `corruxion` message."""

    type: Literal["corruxion"]
    data: Corruxion
    ts: int


CraftingChoice: TypeAlias = Literal["make", "buy"]

CraftingCut: TypeAlias = Literal["cycle", "depth", "size"]

class CraftingMaterial(TypedDict):
    """An item to obtain."""

    path: str
    name: str
    quantity: int
    unit_price: Union[float, None]
    cost: Union[float, None]


class CraftingNode(TypedDict):
    """A quantity of an item in a crafting tree."""

    id: int
    parent: Union[int, None]
    depth: int
    path: str
    type: Union[CodexTypeName, None]
    name: str
    image_url: Union[str, None]
    quantity: int
    recipe: Union[str, None]
    times: Union[int, None]
    made: Union[int, None]
    other_recipes: int
    cut: Union[CraftingCut, None]
    unit_price: Union[float, None]
    buy_cost: Union[float, None]
    make_cost: Union[float, None]
    cost: Union[float, None]
    choice: Union[CraftingChoice, None]


class CraftingTree(TypedDict):
    """What an item is made of, and what it costs."""

    branch: str
    path: str
    name: str
    quantity: int
    cost: Union[float, None]
    nodes: list[CraftingNode]
    materials: list[CraftingMaterial]
    count: int
    truncated: bool
    omitted: list[str]


class DailyBonusesMessage(TypedDict):
    """A `daily_bonuses` message."""

    type: Literal["daily_bonuses"]
    data: DailyBuffs
    ts: int


class DailyBuff(TypedDict):
    """The buff of one weekday."""

    name: str
    color: str
    weekday: Weekday
    emoji: str
    normal_buffs: list[str]
    premium_buffs: list[str]
    icon: Union[str, None]
    banner: Union[str, None]


class DailyBuffs(TypedDict):
    """The buff of the game day and those of the week."""

    current: DailyBuff
    week: list[DailyBuff]


class DelveFloor(TypedDict):
    """A floor as received from the community source: all keys are optional, unknown keys may occur."""



class DelveWeek(TypedDict):
    """A stored delve week, without its floors."""

    week: int
    total: int
    count: int
    fetched_at: str


class DelveWeeks(TypedDict):
    """The stored delve weeks."""

    current_week: int
    items: list[DelveWeek]
    count: int


class Delves(TypedDict):
    """The floors of a delve week."""

    week: int
    is_current: bool
    total: int
    count: int
    fetched_at: Union[str, None]
    depths: list[DelveFloor]


class DuplicateBoard(TypedDict):
    """A board with several rows of a name."""

    uuid: int
    name: str
    occurrences: int
    series: list[DuplicateSeries]


class DuplicateEvidence(TypedDict):
    """Analysis of the last days; empty without one."""

    lookback_days: NotRequired[int]
    boards: NotRequired[list[DuplicateBoard]]
    summary: NotRequired[str]


DuplicateKind: TypeAlias = Literal["same_name", "case", "both"]

DuplicateKindFilter: TypeAlias = Literal["same_name", "case"]

class DuplicateSeries(TypedDict):
    """Rows of one character of a name on a board."""

    slot: int
    captures: int
    first_anchor: int
    last_anchor: int
    first_score: float
    last_score: float
    last_rank: int
    moved: bool
    frozen: bool


DuplicateVerdict: TypeAlias = Literal["one_live", "multi_live", "all_idle", "case_only", "not_analysed"]

DuplicatesBackfillPhase: TypeAlias = Literal["search", "analysis"]

class DuplicatesBackfillStatus(TypedDict):
    """Progress of the backfill of duplicate names."""

    running: bool
    phase: NotRequired[DuplicatesBackfillPhase]
    total: int
    done: int
    detected: int
    started_at: Union[int, None]
    finished_at: Union[int, None]
    last_anchor: Union[int, None]
    clear_first: bool
    cleared: Union[int, None]
    recorded_duplicates: int


class EmpoweredGem(TypedDict):
    """A named Empowered gem in one element."""

    element: str
    slug: str
    name: str
    description: str
    tiers: list[GemTierId]
    prefabs: list[str]
    stats: list[GemAbilityStat]
    stages: list[GemAbilityStage]
    ability_id: Union[GemAbilityId, None]
    class_name: Union[str, None]


ErrorCode: TypeAlias = Literal["bad_request", "captcha_failed", "disposable_email", "password_breached", "not_authenticated", "invalid_credentials", "insufficient_scope", "ip_not_allowed", "email_unverified", "second_factor_required", "device_unconfirmed", "forbidden", "not_found", "method_not_allowed", "conflict", "email_taken", "validation_error", "rate_limited", "account_locked", "internal_error", "service_unavailable"]

class EventCategories(TypedDict):
    """The categories of community events."""

    categories: list[str]
    count: int


class ExcludedBoard(TypedDict):
    """A board excluded from the analysis."""

    uuid: int
    name: str
    category: str
    reset_kind: AnalyzedResetKind
    contest_type: Union[LeaderboardContestKind, None]
    reason: BoardExclusionReason
    entries: Union[int, None]


FeedbackCategory: TypeAlias = Literal["bug", "feature", "general"]

class FeedbackForm(TypedDict):
    """A feedback submission."""

    message: str
    category: NotRequired[FeedbackCategory]
    contact: NotRequired[str]
    app_version: NotRequired[str]
    attachments: NotRequired[list[str]]


class FeedbackReceived(TypedDict):
    """Confirms that feedback was received."""

    ok: Literal[True]
    received_at: str


class Fluxion(TypedDict):
    """Windows of the Fluxion merchant."""

    active: bool
    state: FluxionState
    starts_at: int
    ends_at: int
    seconds_remaining: int
    schedule: list[FluxionVisit]


class FluxionMessage(TypedDict):
    """A `fluxion` message."""

    type: Literal["fluxion"]
    data: Fluxion
    ts: int


FluxionState: TypeAlias = Literal["voting", "selling", "away"]

class FluxionVisit(TypedDict):
    """One window of the Fluxion merchant."""

    starts_at: int
    ends_at: int
    state: FluxionWindowState


FluxionWindowState: TypeAlias = Literal["voting", "selling"]

class FoundPlayerDuplicate(TypedDict):
    """A duplicate name."""

    query: str
    found: Literal[True]
    enabled: bool
    name: str
    kind: DuplicateKind
    verdict: DuplicateVerdict
    boards: int
    max_occurrences: int
    spellings: list[str]
    first_anchor: int
    last_anchor: int
    evidence: DuplicateEvidence
    method_version: int
    updated_at: int


class GameAuthStatus(TypedDict):
    """Result of the authentication gateway check."""

    online: bool
    http_status: Union[int, None]
    latency_ms: int
    error: Union[str, None]


GameEnvironment: TypeAlias = Literal["eu", "us", "pts"]

class GameEnvironmentStatus(TypedDict):
    """Status of one environment of the game."""

    status: GameStatusName
    online: bool
    game: Union[GameSocketStatus, None]


class GameNewsMessage(TypedDict):
    """A `game_news` message."""

    type: Literal["game_news"]
    data: News
    ts: int


GameSocketProbe: TypeAlias = Literal["connect", "deep"]

class GameSocketStatus(TypedDict):
    """Result of a game socket check."""

    online: bool
    host: str
    port: int
    latency_ms: Union[int, None]
    error: Union[str, None]
    probe: GameSocketProbe


class GameStatus(TypedDict):
    """Status of the game servers at the last probe."""

    overall: GameStatusName
    auth: Union[GameAuthStatus, None]
    environments: dict[str, Any]
    checked_at: Union[int, None]


class GameStatusHistory(TypedDict):
    """Status of an environment over the last days."""

    env: GameEnvironment
    days: int
    window_start: int
    window_end: int
    uptime: Union[float, None]
    covered_seconds: int
    segments: list[GameStatusSegment]
    outages: list[GameStatusSegment]


GameStatusName: TypeAlias = Literal["online", "maintenance", "down", "unknown"]

class GameStatusSegment(TypedDict):
    """A period of time with one status."""

    status: GameStatusName
    online: bool
    started_at: int
    ended_at: Union[int, None]
    duration_seconds: int


class GameUpdate(TypedDict):
    """The newest version of the game."""

    version: ArchiveVersion


class GameUpdateMessage(TypedDict):
    """A `game_update` message."""

    type: Literal["game_update"]
    data: GameUpdate
    ts: int


class Gardening(TypedDict):
    """Harvest days of both types of plants."""

    two_day: GardeningWindow
    three_day: GardeningWindow
    upcoming: list[GardeningWindow]


class GardeningWindow(TypedDict):
    """A harvest day of one type of plants."""

    name: str
    active: bool
    starts_at: int
    ends_at: int


class Gem(TypedDict):
    """A gem with all derived fields. Store it and send it back unchanged."""

    id: int
    tier: GemTierId
    type: GemTypeId
    element: GemElementId
    restriction: Union[GemRestrictionId, None]
    ability: Union[GemAbilityId, None]
    level: int
    stats: list[GemStat]
    augmentation: Union[float, None]
    attempts: int
    karma: int
    spent: dict[str, int]
    ability_name: Union[str, None]
    gem_name: Union[str, None]
    is_max_level: bool
    quality: float
    power_rank: int
    stat_values: list[dict[str, float]]


class GemAbility(TypedDict):
    """A gem ability."""

    id: GemAbilityId
    name: str


GemAbilityId: TypeAlias = Literal[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]

GemAbilityOperation: TypeAlias = Literal["Add", "Multiply", "MultiplySum"]

class GemAbilityStage(TypedDict):
    """One hit of an ability."""

    name: str
    prefab: str
    base: float
    multiplier: float


class GemAbilityStat(TypedDict):
    """A stat that an ability changes."""

    name: str
    stat: str
    op: GemAbilityOperation
    value: float
    amount: float
    prefab: str


class GemAugment(TypedDict):
    """Focuses of one type on a container."""

    type: GemAugmentTypeId
    count: int


class GemAugmentInput(TypedDict):
    """Focuses of one type on a container."""

    type: GemAugmentTypeId
    count: NotRequired[Union[int, None]]


class GemAugmentRequest(TypedDict):
    """A gem, one of its stats, and the focus to apply."""

    gem: GemInput
    stat_position: int
    augment_type: NotRequired[Union[GemAugmentTypeId, None]]


class GemAugmentType(TypedDict):
    """A focus."""

    id: GemAugmentTypeId
    name: str
    increase_percent: float


GemAugmentTypeId: TypeAlias = Literal[1, 2, 3]

class GemBooster(TypedDict):
    """A level-up booster."""

    id: GemBoosterId
    name: str
    chance_multiplier: float
    double_multiplier: float


GemBoosterId: TypeAlias = Literal["booster2", "booster4", "booster5", "booster5_mystic"]

class GemChange(TypedDict):
    """The gem after a change."""

    applied: bool
    gem: Gem


class GemContainer(TypedDict):
    """A base slot or a boost of a stat."""

    base: float
    augments: list[GemAugment]
    increase: float
    real_value: float
    value: float


class GemContainerInput(TypedDict):
    """A base slot or a boost of a stat."""

    base: float
    augments: NotRequired[Union[list[GemAugmentInput], None]]


class GemCostRow(TypedDict):
    """An item used by an operation."""

    item: str
    name: str
    count: int


class GemElement(TypedDict):
    """A gem element."""

    id: GemElementId
    name: str


GemElementId: TypeAlias = Literal[1, 2, 3, 4]

class GemEnteredStat(TypedDict):
    """A stat of a gem."""

    type: GemRollStatId
    value: NotRequired[float]
    containers: NotRequired[list[GemContainerInput]]
    extra_containers: NotRequired[Union[int, None]]


class GemEvaluateInput(TypedDict):
    """Displayed values of a gem."""

    tier: NotRequired[Union[GemTierId, None]]
    type: NotRequired[Union[GemTypeId, None]]
    level: NotRequired[Union[int, None]]
    element: NotRequired[Union[GemElementId, None]]
    stats: NotRequired[list[GemEnteredStat]]
    gem: NotRequired[Union[dict[str, Any], None]]
    auto_guess_procs: NotRequired[Union[bool, None]]


class GemEvaluateSimpleInput(TypedDict):
    """Type, level and Power Rank of a gem."""

    tier: NotRequired[Union[GemTierId, None]]
    type: NotRequired[Union[GemTypeId, None]]
    power_rank: NotRequired[Union[int, None]]
    level: NotRequired[Union[int, None]]


class GemEvaluatedStat(TypedDict):
    """An evaluated stat."""

    type: GemRollStatId
    display_name: str
    entered_value: float
    extra_containers: int
    containers: int
    progress: float
    quality_percent: float
    estimated_pr_contribution: float
    is_within_range: bool
    raw_progress: float
    threshold_progress: float


class GemEvaluation(TypedDict):
    """Quality and Power Rank of a gem, and the cost to max it."""

    tier: GemTierId
    type: GemTypeId
    type_name: str
    element: GemElementId
    element_name: str
    restriction: Union[GemRestrictionId, None]
    restriction_name: str
    level: int
    quality: float
    quality_percent: float
    calculated_power_rank: int
    has_issues: bool
    issues: list[str]
    stats: list[GemEvaluatedStat]
    focus_totals: dict[str, Any]
    headline_cost: GemFocusTotals
    available_extra_containers: int
    guessed_distribution: list[int]


GemFocusStrategy: TypeAlias = Literal["optimized_all", "optimized_precise_rough", "rough_only"]

class GemFocusTotals(TypedDict):
    """Focuses and materials that max a gem with one strategy."""

    key: GemFocusStrategy
    label: str
    superior: int
    precise: int
    rough: int
    total: int
    recipe_totals: dict[str, int]


class GemGenerateInput(TypedDict):
    """Properties of the new gem; omitted ones are random."""

    tier: NotRequired[Union[GemTierId, None]]
    type: NotRequired[Union[GemTypeId, None]]
    element: NotRequired[Union[GemElementId, None]]
    restriction: NotRequired[Union[GemRestrictionId, None]]
    level: NotRequired[Union[int, None]]
    augmentation: NotRequired[Union[float, None]]
    retired_stats: NotRequired[Union[bool, None]]
    seed: NotRequired[Union[int, str, None]]


class GemInput(TypedDict):
    """A gem from an earlier response. Derived fields (names, quality, Power Rank, values) are ignored and recalculated."""

    id: NotRequired[Union[int, None]]
    tier: GemTierId
    type: GemTypeId
    element: GemElementId
    restriction: NotRequired[Union[GemRestrictionId, None]]
    ability: NotRequired[Union[GemAbilityId, None]]
    level: int
    stats: list[GemStatInput]
    augmentation: NotRequired[Union[float, None]]
    attempts: NotRequired[Union[int, None]]
    karma: NotRequired[Union[int, None]]
    spent: NotRequired[Union[dict[str, int], None]]


class GemLevelCost(TypedDict):
    """Cost of one level."""

    level: int
    chance: float
    double_chance: float
    karma_per_fail: int
    expected_attempts: float
    max_attempts: int
    attempt_quantiles: dict[str, Any]
    cost: list[GemCostRow]


class GemLevelCosts(TypedDict):
    """Level-up costs to the last level: chances, materials, totals."""

    tier: GemTierId
    type: GemTypeId
    element: GemElementId
    booster: Union[GemBoosterId, None]
    from_level: int
    levels: list[GemLevelCost]
    expected_total: list[GemCostRow]
    exact_attempts: float
    exact_total: list[GemCostRow]


class GemLevelUp(TypedDict):
    """A level-up attempt."""

    applied: bool
    outcome: GemLevelUpOutcome
    chance: float
    double_chance: float
    cost: list[GemCostRow]
    guaranteed: bool
    karma_gained: int
    gem: Gem


GemLevelUpOutcome: TypeAlias = Literal["success", "double", "failed", "max_level"]

class GemLevelUpRequest(TypedDict):
    """A gem to level up."""

    gem: GemInput
    booster: NotRequired[Union[GemBoosterId, None]]
    seed: NotRequired[Union[int, str, None]]


class GemLevelUpTo(TypedDict):
    """Totals of the attempts."""

    applied: bool
    reached: bool
    attempts: int
    outcomes: dict[str, Any]
    guaranteed: int
    cost: list[GemCostRow]
    gem: Gem


class GemLevelUpToRequest(TypedDict):
    """A gem and its target level."""

    gem: GemInput
    level: int
    booster: NotRequired[Union[GemBoosterId, None]]
    seed: NotRequired[Union[int, str, None]]
    max_attempts: NotRequired[Union[int, None]]


class GemLookups(TypedDict):
    """All values of gem fields."""

    tiers: list[GemTier]
    types: list[GemType]
    elements: list[GemElement]
    restrictions: list[GemRestriction]
    stat_types: list[GemStatType]
    augment_types: list[GemAugmentType]
    abilities: list[GemAbility]
    abilities_by_element: dict[str, list[int]]
    karma_max: int
    boosters: list[GemBooster]
    empowered_gems: list[EmpoweredGem]


class GemRestriction(TypedDict):
    """A gem restriction."""

    id: GemRestrictionId
    name: str


GemRestrictionId: TypeAlias = Literal[1, 2]

GemRollStatId: TypeAlias = Literal[1, 2, 3, 4, 5, 6, 7, 10]

class GemSetLevelRequest(TypedDict):
    """A gem and its target level."""

    gem: GemInput
    level: int
    seed: NotRequired[Union[int, str, None]]


class GemSimpleEvaluation(TypedDict):
    """Quality of a gem from its Power Rank alone, and the cost to max it."""

    tier: GemTierId
    tier_name: str
    type: GemTypeId
    type_name: str
    level: int
    power_rank: int
    min_power_rank: float
    max_power_rank: float
    quality: float
    quality_percent: float
    is_within_range: bool
    distance: float
    containers: int
    boosts: int
    focus_totals: dict[str, Any]
    headline_cost: GemFocusTotals


class GemStat(TypedDict):
    """One of the three stats of a gem."""

    type: GemRollStatId
    locked: bool
    containers: list[GemContainer]
    augmentation_progress: float


class GemStatInput(TypedDict):
    """One of the three stats of a gem."""

    type: GemRollStatId
    locked: NotRequired[Union[bool, None]]
    containers: list[GemContainerInput]


class GemStatRange(TypedDict):
    """Range of a stat at a level."""

    stat_type: GemRollStatId
    stat_display_name: str
    element: GemElementId
    containers: int
    min_value: float
    max_value: float
    stat_base: float
    thresholds: list[float]


class GemStatRequest(TypedDict):
    """A gem and one of its stats."""

    gem: GemInput
    stat_position: int
    seed: NotRequired[Union[int, str, None]]


class GemStatType(TypedDict):
    """A gem stat."""

    id: GemStatTypeId
    name: str
    retired: bool


GemStatTypeId: TypeAlias = Literal[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]

class GemTier(TypedDict):
    """A gem tier."""

    id: GemTierId
    name: str
    max_level: int


GemTierId: TypeAlias = Literal[1, 2, 3, 4]

class GemType(TypedDict):
    """A gem type."""

    id: GemTypeId
    name: str


GemTypeId: TypeAlias = Literal[1, 2]

class GeodeMasteryRecord(TypedDict):
    """Rank 1 of the board of Geode Mastery."""

    points: int
    level: int
    points_into_level: int
    points_to_next_level: int
    player_name: str
    anchor: int
    level_cap: int
    uncapped_level: int
    capped: bool


class Giveaway(TypedDict):
    """A prize draw among the entries."""

    id: str
    title: str
    description: Union[str, None]
    prize_name: str
    status: GiveawayStatus
    starts_at: str
    ends_at: str
    entry_count: int
    winner_username: Union[str, None]
    seed_hash: Union[str, None]
    seed: Union[str, None]
    entries_hash: Union[str, None]
    winner_entry_id: Union[str, None]


class GiveawayDraw(TypedDict):
    """Proof of a draw: all data needed to repeat it."""

    id: str
    seed_hash: str
    seed: str
    entries_hash: str
    winner_entry_id: str
    entries: list[str]
    count: int
    total: int


GiveawayStatus: TypeAlias = Literal["scheduled", "open", "drawn", "closed", "cancelled"]

class GiveawaysMessage(TypedDict):
    """A `giveaways` message."""

    type: Literal["giveaways"]
    data: list[Giveaway]
    ts: int


class Health(TypedDict):
    """State of the service."""

    status: Literal["ok"]
    problems: NotRequired[list[str]]
    demo: NotRequired[Literal[True]]
    version: NotRequired[str]


class HealthBase(TypedDict):
    """Stats of the character before third lines."""

    critical_hit: float
    maximum_health: float
    maximum_health_per: float


class HealthLines(TypedDict):
    """Third lines of gems of the same kind."""

    critical_hit: int
    maximum_health: int
    maximum_health_per: int


class HealthOptimizer(TypedDict):
    """Third lines of the nine elemental gems."""

    base: HealthBase
    results: list[HealthRow]
    count: int


class HealthOptimizerInput(TypedDict):
    """A fully equipped character. All fields are optional; other fields of a build are ignored."""

    character: NotRequired[Union[ClassName, None]]
    star_chart: NotRequired[Union[str, None]]
    weapon_ch: NotRequired[Union[bool, None]]
    ring_ch: NotRequired[Union[bool, None]]
    hat_health: NotRequired[Union[bool, None]]
    face_health: NotRequired[Union[bool, None]]
    high_precision: NotRequired[Union[bool, None]]


class HealthRow(TypedDict):
    """A choice of third lines with the resulting stats."""

    rank: int
    layout: str
    empowered: HealthLines
    lesser: HealthLines
    critical_hit: float
    maximum_health: float
    maximum_health_per: float
    health: float


ImageTheme: TypeAlias = Literal["dark", "light"]

class IngestProblem(TypedDict):
    """An invalid record."""

    line: Union[int, None]
    reason: str


class IngestReceipt(TypedDict):
    """Result of an insert."""

    id: str
    endpoint: str
    state: IngestState
    received_at: str
    received: Union[int, None]
    accepted: Union[int, None]
    ignored: Union[int, None]
    rejected: Union[int, None]
    hidden_characters: Union[int, None]
    problems: list[IngestProblem]
    summary: Union[str, None]
    error: Union[str, None]


IngestState: TypeAlias = Literal["received", "accepted", "rejected"]

class InterestItems(TypedDict):
    """Tracked market items."""

    items: list[str]
    count: int


class Leaderboard(TypedDict):
    """A leaderboard."""

    uuid: int
    name_id: str
    name: str
    category_id: str
    category: str
    contest_type: Union[LeaderboardContestKind, None]
    reset_kind: LeaderboardResetKind
    player_board: bool


class LeaderboardAnomalies(TypedDict):
    """Anomalies in the newest capture."""

    players: list[AnomalyPlayer]
    clusters: list[AltCluster]
    clusters_boards_scanned: int
    computed_at: int
    anchor: Union[int, None]
    method: str
    config: AnomalyConfig
    total_flagged: int
    boards_analyzed: int
    boards_excluded: int
    analyzed_boards: list[AnalyzedBoard]
    excluded_boards: list[ExcludedBoard]
    alt_clusters_enabled: bool
    cheater_detection_enabled: bool


class LeaderboardCaptureDeleted(TypedDict):
    """Result of a deletion."""

    deleted: bool
    anchor: int
    entries_deleted: int
    recompute: bool


class LeaderboardComparison(TypedDict):
    """Capture that entries are compared with."""

    comparable: bool
    prev_anchor: Union[int, None]
    reason: LeaderboardComparisonReason


LeaderboardComparisonReason: TypeAlias = Literal["ok", "no_prior_snapshot", "crossed_reset"]

class LeaderboardContest(TypedDict):
    """A capture at which the board was a contest."""

    time: int
    type: LeaderboardContestKind


LeaderboardContestKind: TypeAlias = Literal["daily", "weekly"]

class LeaderboardDelve(TypedDict):
    """Meaning of the score of a delve board."""

    depth: int
    minutes: float


class LeaderboardDetail(TypedDict):
    """A leaderboard with its contests."""

    uuid: int
    name_id: str
    name: str
    category_id: str
    category: str
    contest_type: Union[LeaderboardContestKind, None]
    reset_kind: LeaderboardResetKind
    player_board: bool
    contests: list[LeaderboardContest]


class LeaderboardDumpForm(TypedDict):
    """A leaderboard dump."""

    file: NotRequired[str]


class LeaderboardEntries(TypedDict):
    """A page of a leaderboard."""

    uuid: int
    created_at: int
    anchor: Union[int, None]
    items: list[LeaderboardEntry]
    count: int
    total: int
    comparison: LeaderboardComparison


class LeaderboardEntry(TypedDict):
    """A row of a leaderboard."""

    rank: int
    player_name: str
    score: float
    prev_rank: Union[int, None]
    prev_score: Union[float, None]
    rank_delta: Union[int, None]
    score_delta: Union[float, None]
    is_new: bool
    delve: NotRequired[LeaderboardDelve]


class LeaderboardGain(TypedDict):
    """The gain of a player on a board."""

    place: int
    rank: int
    player_name: str
    score: float
    prev_rank: Union[int, None]
    prev_score: float
    gain: float


LeaderboardGainDays: TypeAlias = Literal[1, 7, 30]

class LeaderboardGains(TypedDict):
    """The largest gains on a board between two captures."""

    uuid: int
    name: Union[str, None]
    days: int
    window_start: Union[int, None]
    window_end: Union[int, None]
    reset_at: Union[int, None]
    comparable: bool
    reason: LeaderboardComparisonReason
    higher_is_better: bool
    items: list[LeaderboardGain]
    count: int
    total: int
    new_players: int


class LeaderboardHealth(TypedDict):
    """Health of a board, measured on its top rows."""

    uuid: int
    name: str
    category: str
    reset_kind: LeaderboardResetKind
    anchor: int
    prev_anchor: Union[int, None]
    comparable: bool
    comparison_reason: LeaderboardComparisonReason
    population: int
    sample_size: int
    leader_share: Union[float, None]
    p1_pn_ratio: Union[float, None]
    gini: Union[float, None]
    new_entrants: Union[int, None]
    turnover_rate: Union[float, None]
    median_score_gain: Union[float, None]
    median_score_gain_pct: Union[float, None]


class LeaderboardHistory(TypedDict):
    """History of the leaders of a board."""

    uuid: int
    days: int
    window_start: int
    window_end: int
    anchors: list[int]
    series: list[LeaderboardLine]


class LeaderboardHistoryItem(TypedDict):
    """A row of a player on a board at a capture."""

    rank: int
    player_name: str
    score: float
    prev_rank: Union[int, None]
    prev_score: Union[float, None]
    rank_delta: Union[int, None]
    score_delta: Union[float, None]
    is_new: bool
    delve: NotRequired[LeaderboardDelve]
    leaderboard: int
    board_name: str
    board: Leaderboard
    created_at: int
    slot: int
    slots: int


class LeaderboardInserted(TypedDict):
    """Result of a dump insert."""

    accepted: bool
    bytes: int
    message: str


class LeaderboardLine(TypedDict):
    """The series of one player."""

    player_name: str
    current_rank: int
    points: list[LeaderboardPoint]


class LeaderboardPoint(TypedDict):
    """Rank and score at a point in time."""

    created_at: int
    rank: int
    score: float
    synthetic: bool


class LeaderboardRecords(TypedDict):
    """Current records."""

    mastery: Union[MasteryRecord, None]
    geode_mastery: Union[GeodeMasteryRecord, None]
    power_rank: Union[PowerRankRecord, None]


LeaderboardResetKind: TypeAlias = Literal["daily", "weekly", "default"]

class LeaderboardTimestamps(TypedDict):
    """Anchors of leaderboard captures."""

    items: list[int]
    count: int


class Leaderboards(TypedDict):
    """The leaderboards of a capture."""

    created_at: int
    anchor: Union[int, None]
    items: list[Leaderboard]
    count: int


class ListedMod(TypedDict):
    """A mod in a list, whose long texts are cut; the translations of a text share one maximum."""

    handle: str
    slug: str
    title: str
    summary: str
    description: str
    readme_text: str
    warnings: str
    title_i18n: Translations
    summary_i18n: Translations
    description_i18n: Translations
    readme_i18n: Translations
    warnings_i18n: Translations
    tags: list[str]
    categories: list[str]
    flags: int
    author: str
    credited: str
    is_stray: bool
    is_beta: bool
    uploaded_on_behalf: bool
    banner_url: Union[str, None]
    preview_urls: list[str]
    download_count: int
    downloads_7d: int
    star_count: int
    popularity_score: float
    discord_url: Union[str, None]
    website_url: Union[str, None]
    donation_urls: list[str]
    page_url: str
    api_url: str
    created_at: str
    updated_at: str
    last_release_at: Union[str, None]
    forked_from: Union[ModReference, None]
    inspired_by: Union[ModReference, None]
    fork_count: int
    truncated: list[str]


class ListedModProjectRelease(TypedDict):
    """A release in any state in a list, whose long texts are cut."""

    id: str
    tag: str
    branch: str
    title: str
    changelog: str
    title_i18n: Translations
    changelog_i18n: Translations
    format: ModFormat
    filename: str
    size: int
    sha256: str
    download_count: int
    download_url: str
    published_at: Union[str, None]
    truncated: list[str]
    state: ProjectReleaseState
    silent: bool
    created_at: Union[str, None]
    publish_at: Union[str, None]
    publish_error: Union[str, None]
    withdrawn_at: Union[str, None]
    withdraw_reason: Union[str, None]
    image_url: Union[str, None]


class LongshadeMessage(TypedDict):
    """A `longshade` message."""

    type: Literal["longshade"]
    data: BiomeRotations
    ts: int


class LookedUpMod(TypedDict):
    """A mod with the requested releases, whose long texts are cut."""

    handle: str
    slug: str
    title: str
    summary: str
    description: str
    readme_text: str
    warnings: str
    title_i18n: Translations
    summary_i18n: Translations
    description_i18n: Translations
    readme_i18n: Translations
    warnings_i18n: Translations
    tags: list[str]
    categories: list[str]
    flags: int
    author: str
    credited: str
    is_stray: bool
    is_beta: bool
    uploaded_on_behalf: bool
    banner_url: Union[str, None]
    preview_urls: list[str]
    download_count: int
    downloads_7d: int
    star_count: int
    popularity_score: float
    discord_url: Union[str, None]
    website_url: Union[str, None]
    donation_urls: list[str]
    page_url: str
    api_url: str
    created_at: str
    updated_at: str
    last_release_at: Union[str, None]
    forked_from: Union[ModReference, None]
    inspired_by: Union[ModReference, None]
    fork_count: int
    truncated: list[str]
    releases: NotRequired[list[AttachedRelease]]
    omitted_releases: NotRequired[int]


class LookedUpRelease(TypedDict):
    """A release of a lookup, whose long texts are cut."""

    id: str
    tag: str
    branch: str
    title: str
    changelog: str
    title_i18n: Translations
    changelog_i18n: Translations
    format: ModFormat
    filename: str
    size: int
    sha256: str
    download_count: int
    download_url: str
    published_at: str
    truncated: list[str]


class Luxion(TypedDict):
    """The captured merchant Luxion: its newest reported run."""

    active: bool
    merchant_open: bool
    starts_at: Union[int, None]
    ends_at: Union[int, None]
    seconds_remaining: int
    current_window: Union[LuxionWindow, None]
    next_window: Union[LuxionWindow, None]
    schedule: list[LuxionWindow]
    first_seen_at: Union[str, None]
    last_seen_at: Union[str, None]


class LuxionHistory(TypedDict):
    """A page of runs."""

    items: list[LuxionHistoryItem]
    count: int
    total: int
    next_cursor: Union[str, None]


class LuxionHistoryItem(TypedDict):
    """A reported run."""

    started_at: int
    ends_at: int
    first_seen_at: str
    last_seen_at: str


class LuxionInserted(TypedDict):
    """Result of the report."""

    anchor: int
    name: Literal["luxion"]
    refreshed: bool


class LuxionMessage(TypedDict):
    """A `luxion` message."""

    type: Literal["luxion"]
    data: Luxion
    ts: int


class LuxionWindow(TypedDict):
    """A window in which the merchant trades."""

    starts_at: int
    ends_at: int
    state: str


class MarketArchive(TypedDict):
    """Files of archived listings."""

    items: list[MarketArchiveMonth]
    count: int


class MarketArchiveMonth(TypedDict):
    """A file of archived listings."""

    month: str
    listings: int
    bytes: int
    sha256: str
    archived_at: int


class MarketDeal(TypedDict):
    """An active listing below the median of its item."""

    id: str
    name: str
    stack: int
    price: int
    price_each: float
    median_each: float
    sample_size: int
    discount: float
    created_at: int
    last_seen: int


class MarketDeals(TypedDict):
    """Active listings far below the median of their item."""

    items: list[MarketDeal]
    count: int
    min_discount: float
    days: int
    as_of: int


class MarketInsertForm(TypedDict):
    """A dump of the market."""

    file: NotRequired[str]


class MarketInserted(TypedDict):
    """Result of a market dump import."""

    parsed: int
    imported: int
    ignored_not_in_list: int
    last_seen: Union[int, None]


class MarketItemSummary(TypedDict):
    """Prices of the active listings of an item."""

    name: str
    count: int
    total_price: int
    total_stack: int
    min_each: float
    max_each: float
    avg_each: float
    median_each: float


class MarketItems(TypedDict):
    """Names of items."""

    items: list[str]
    count: int


MarketKnownItems: TypeAlias = "dict[str, Any]"

class MarketLiquidity(TypedDict):
    """How fast items sell."""

    items: list[MarketLiquidityItem]
    count: int
    days: int
    as_of: int


class MarketLiquidityItem(TypedDict):
    """How fast an item sells."""

    name: str
    concluded: int
    sold: int
    expired: int
    sell_through: float
    median_time_to_sell: Union[int, None]
    days_of_stock: Union[float, None]


class MarketListing(TypedDict):
    """A market listing."""

    id: str
    name: str
    type: Union[str, None]
    stack: int
    price: int
    price_each: float
    last_seen: int
    created_at: int
    expires_at: int
    expired: bool
    image_url: Union[str, None]


class MarketListings(TypedDict):
    """A page of listings."""

    items: list[MarketListing]
    count: int
    total: int
    sort: str


class MarketMover(TypedDict):
    """An item whose median price changed."""

    name: str
    recent_med: float
    prior_med: float
    recent_n: int
    prior_n: int
    change: float


class MarketMovers(TypedDict):
    """Items with the largest changes of the median price."""

    risers: list[MarketMover]
    fallers: list[MarketMover]
    days: int
    as_of: int


class MarketOverview(TypedDict):
    """The market at a glance."""

    active_listings: int
    active_items: int
    total_value: int
    total_units: int
    biggest_mover: Union[MarketMover, None]
    most_traded: Union[MarketVolumeItem, None]
    days: int
    as_of: int


class MarketPriceHistory(TypedDict):
    """Price history of an item."""

    name: str
    days: int
    include_expired: bool
    keep_outliers: bool
    window_start: int
    window_end: int
    points: list[MarketPricePoint]
    count: int
    raw_count: int
    outliers_excluded: int
    outliers_min_price: Union[float, None]
    outliers_max_price: Union[float, None]
    outliers_threshold_z: float
    truncated: bool


class MarketPricePoint(TypedDict):
    """One listing of an item."""

    created_at: int
    price_each: float
    last_seen: int
    stack: int
    price: int


class MarketReset(TypedDict):
    """Result of a market reset."""

    reset: Literal[True]
    removed: int


class MarketSummaries(TypedDict):
    """Prices of several items."""

    items: list[MarketItemSummary]
    count: int
    missing: list[str]
    as_of: int


class MarketSummary(TypedDict):
    """Price summary of the active listings of an item."""

    name: str
    count: int
    total_price: int
    total_stack: int
    min_each: float
    max_each: float
    avg_each: float
    median_each: float
    image_url: Union[str, None]


class MarketTimeline(TypedDict):
    """Price timeline of an item."""

    name: str
    days: int
    bucket_hours: int
    points: list[MarketTimelinePoint]
    truncated: bool
    archived_days: int


class MarketTimelinePoint(TypedDict):
    """Listings created in one bucket."""

    bucket: int
    listings: int
    stack: int
    p25: float
    p50: float
    p75: float


class MarketVolume(TypedDict):
    """The most listed items of a window."""

    items: list[MarketVolumeItem]
    count: int
    days: int
    as_of: int


class MarketVolumeItem(TypedDict):
    """Listings of an item created in a window."""

    name: str
    listings: int
    units: int
    total_value: int
    median_each: float


class MasteryRecord(TypedDict):
    """Rank 1 of a mastery board."""

    points: int
    level: int
    points_into_level: int
    points_to_next_level: int
    player_name: str
    anchor: int


MerchantCard: TypeAlias = Literal["corruxion", "fluxion"]

class MerchantVisit(TypedDict):
    """One visit of a merchant."""

    starts_at: int
    ends_at: int


class Mod(TypedDict):
    """A mod of the catalog."""

    handle: str
    slug: str
    title: str
    summary: str
    description: str
    readme_text: str
    warnings: str
    title_i18n: Translations
    summary_i18n: Translations
    description_i18n: Translations
    readme_i18n: Translations
    warnings_i18n: Translations
    tags: list[str]
    categories: list[str]
    flags: int
    author: str
    credited: str
    is_stray: bool
    is_beta: bool
    uploaded_on_behalf: bool
    banner_url: Union[str, None]
    preview_urls: list[str]
    download_count: int
    downloads_7d: int
    star_count: int
    popularity_score: float
    discord_url: Union[str, None]
    website_url: Union[str, None]
    donation_urls: list[str]
    page_url: str
    api_url: str
    created_at: str
    updated_at: str
    last_release_at: Union[str, None]
    forked_from: Union[ModReference, None]
    inspired_by: Union[ModReference, None]
    fork_count: int


ModAttachedReleases: TypeAlias = Literal["none", "latest", "all"]

class ModCategories(TypedDict):
    """Mod categories. Bits never change; new ones are appended."""

    categories: list[ModCategory]


class ModCategory(TypedDict):
    """A mod category."""

    name: str
    bit: int


class ModDetail(TypedDict):
    """A mod with its releases."""

    handle: str
    slug: str
    title: str
    summary: str
    description: str
    readme_text: str
    warnings: str
    title_i18n: Translations
    summary_i18n: Translations
    description_i18n: Translations
    readme_i18n: Translations
    warnings_i18n: Translations
    tags: list[str]
    categories: list[str]
    flags: int
    author: str
    credited: str
    is_stray: bool
    is_beta: bool
    uploaded_on_behalf: bool
    banner_url: Union[str, None]
    preview_urls: list[str]
    download_count: int
    downloads_7d: int
    star_count: int
    popularity_score: float
    discord_url: Union[str, None]
    website_url: Union[str, None]
    donation_urls: list[str]
    page_url: str
    api_url: str
    created_at: str
    updated_at: str
    last_release_at: Union[str, None]
    forked_from: Union[ModReference, None]
    inspired_by: Union[ModReference, None]
    fork_count: int
    releases: list[ModRelease]
    omitted_releases: int


class ModDraftPatch(TypedDict):
    """Texts to change. Omitted fields are unchanged."""

    tag: NotRequired[str]
    branch: NotRequired[str]
    title: NotRequired[str]
    changelog: NotRequired[str]
    silent: NotRequired[bool]


ModFigure: TypeAlias = Literal["downloads", "version", "stars"]

ModFormat: TypeAlias = Literal["tmod", "zip"]

ModImageWidth: TypeAlias = Literal["400", "708", "1416"]

class ModInsert(TypedDict):
    """A mod and a release. Omitted fields of an existing mod are unchanged."""

    handle: str
    slug: NotRequired[str]
    title: str
    summary: NotRequired[str]
    description: NotRequired[str]
    readme_text: NotRequired[str]
    warnings: NotRequired[str]
    title_i18n: NotRequired[dict[str, Any]]
    summary_i18n: NotRequired[dict[str, Any]]
    description_i18n: NotRequired[dict[str, Any]]
    readme_i18n: NotRequired[dict[str, Any]]
    warnings_i18n: NotRequired[dict[str, Any]]
    tags: NotRequired[list[str]]
    author: NotRequired[str]
    is_beta: NotRequired[bool]
    uploaded_on_behalf: NotRequired[bool]
    discord_url: NotRequired[Union[str, None]]
    website_url: NotRequired[Union[str, None]]
    donation_urls: NotRequired[list[str]]
    banner_base64: NotRequired[Union[str, None]]
    previews_base64: NotRequired[list[str]]
    forked_from: NotRequired[Union[str, None]]
    inspired_by: NotRequired[Union[str, None]]
    visibility: NotRequired[ModVisibility]
    release: ModReleaseInput


class ModInserted(TypedDict):
    """Result of the insert."""

    ok: Literal[True]
    mod: Mod
    release: ModInsertedRelease


class ModInsertedRelease(TypedDict):
    """The stored release."""

    id: str
    tag: str
    branch: str
    title: str
    changelog: str
    title_i18n: Translations
    changelog_i18n: Translations
    format: ModFormat
    filename: str
    size: int
    sha256: str
    download_count: int
    download_url: str
    published_at: Union[str, None]


class ModList(TypedDict):
    """A page of mods."""

    items: list[ListedMod]
    count: int
    total: int
    limit: int
    offset: int


class ModLookup(TypedDict):
    """Result of a hash lookup."""

    results: dict[str, ModLookupResult]
    unknown: list[str]


class ModLookupInput(TypedDict):
    """Hashes of files."""

    hashes: list[str]
    releases: NotRequired[Union[ModAttachedReleases, None]]
    include_releases: NotRequired[bool]


class ModLookupResult(TypedDict):
    """Release with this hash, and its mod."""

    mod: LookedUpMod
    release: LookedUpRelease


class ModProject(TypedDict):
    """A mod, as its members see it."""

    handle: str
    slug: str
    title: str
    summary: str
    description: str
    readme_text: str
    warnings: str
    title_i18n: Translations
    summary_i18n: Translations
    description_i18n: Translations
    readme_i18n: Translations
    warnings_i18n: Translations
    tags: list[str]
    categories: list[str]
    flags: int
    author: str
    credited: str
    is_stray: bool
    is_beta: bool
    uploaded_on_behalf: bool
    banner_url: Union[str, None]
    preview_urls: list[str]
    download_count: int
    downloads_7d: int
    star_count: int
    popularity_score: float
    discord_url: Union[str, None]
    website_url: Union[str, None]
    donation_urls: list[str]
    page_url: str
    api_url: str
    created_at: str
    updated_at: str
    last_release_at: Union[str, None]
    forked_from: Union[ModReference, None]
    inspired_by: Union[ModReference, None]
    fork_count: int
    visibility: ModVisibility
    role: ProjectRole
    is_taken_down: bool
    is_approved: bool


class ModProjectAudit(TypedDict):
    """The audit trail."""

    items: list[dict[str, Any]]


class ModProjectDownloads(TypedDict):
    """Downloads by day."""

    items: list[dict[str, Any]]


class ModProjectPatch(TypedDict):
    """Fields to change. Omitted fields are unchanged; the address never changes."""

    title: NotRequired[str]
    summary: NotRequired[str]
    description: NotRequired[str]
    readme_text: NotRequired[str]
    warnings: NotRequired[str]
    title_i18n: NotRequired[dict[str, Any]]
    summary_i18n: NotRequired[dict[str, Any]]
    description_i18n: NotRequired[dict[str, Any]]
    readme_i18n: NotRequired[dict[str, Any]]
    warnings_i18n: NotRequired[dict[str, Any]]
    tags: NotRequired[list[str]]
    is_beta: NotRequired[bool]
    discord_url: NotRequired[Union[str, None]]
    website_url: NotRequired[Union[str, None]]
    donation_urls: NotRequired[list[str]]
    visibility: NotRequired[ModVisibility]
    credited: NotRequired[str]


class ModProjectRelease(TypedDict):
    """A release in any state."""

    id: str
    tag: str
    branch: str
    title: str
    changelog: str
    title_i18n: Translations
    changelog_i18n: Translations
    format: ModFormat
    filename: str
    size: int
    sha256: str
    download_count: int
    download_url: str
    published_at: Union[str, None]
    state: ProjectReleaseState
    silent: bool
    created_at: Union[str, None]
    publish_at: Union[str, None]
    publish_error: Union[str, None]
    withdrawn_at: Union[str, None]
    withdraw_reason: Union[str, None]
    image_url: Union[str, None]


class ModProjectReleases(TypedDict):
    """The releases of a project."""

    items: list[ListedModProjectRelease]


class ModPublish(TypedDict):
    """When to publish."""

    at: NotRequired[Union[str, None]]


class ModReference(TypedDict):
    """Reference to another mod, with its title at the time of the reference."""

    handle: str
    slug: str
    title: str
    owner: str


class ModRelease(TypedDict):
    """A published release of a mod."""

    id: str
    tag: str
    branch: str
    title: str
    changelog: str
    title_i18n: Translations
    changelog_i18n: Translations
    format: ModFormat
    filename: str
    size: int
    sha256: str
    download_count: int
    download_url: str
    published_at: str


class ModReleaseChange(TypedDict):
    """The difference to the previous release of the branch."""

    kind: ModReleaseChangeKind
    is_first_release: bool
    from_tag: Union[str, None]
    to_tag: str
    size_delta: Union[int, None]
    days_since_previous: Union[float, None]
    release_count: int
    artifact_unchanged: bool


ModReleaseChangeKind: TypeAlias = Literal["initial", "update"]

class ModReleaseEvent(TypedDict):
    """A published release."""

    project: dict[str, Any]
    release: ModReleaseEventRelease
    previous: Union[ModReleaseEventRelease, None]
    change: ModReleaseChange
    image_url: Union[str, None]
    download_url: str
    page_url: str
    announced: bool


class ModReleaseEventRelease(TypedDict):
    """The release."""

    id: str
    tag: str
    title: str
    branch: str
    format: ModFormat
    size: int
    changelog: str
    published_at: str


class ModReleaseInput(TypedDict):
    """The release to add."""

    tag: str
    branch: NotRequired[str]
    title: NotRequired[str]
    changelog: NotRequired[str]
    title_i18n: NotRequired[dict[str, Any]]
    changelog_i18n: NotRequired[dict[str, Any]]
    format: NotRequired[ModFormat]
    artifact_base64: str
    published: NotRequired[bool]
    silent: NotRequired[bool]


class ModReleaseMessage(TypedDict):
    """A `mod_release` message."""

    type: Literal["mod_release"]
    data: ModReleaseEvent
    ts: int


ModSort: TypeAlias = Literal["recent", "popular", "downloads", "stars", "new", "title"]

class ModUpload(TypedDict):
    """A release to add."""

    tag: str
    branch: NotRequired[str]
    title: NotRequired[str]
    changelog: NotRequired[str]
    silent: NotRequired[bool]
    publish: NotRequired[bool]
    file: str
    image: NotRequired[str]


ModVisibility: TypeAlias = Literal["public", "unlisted", "private"]

class ModWithdraw(TypedDict):
    """Why."""

    reason: str


class Modpack(TypedDict):
    """A pack of mods."""

    slug: str
    handle: str
    title: str
    summary: str
    tags: list[str]
    author: str
    banner_url: Union[str, None]
    preview_urls: list[str]
    download_count: int
    star_count: int
    variant_count: int
    mod_count: int
    default_variant: str
    page_url: str
    created_at: str
    updated_at: str


class ModpackDetail(TypedDict):
    """A pack with its variants."""

    slug: str
    handle: str
    title: str
    summary: str
    tags: list[str]
    author: str
    banner_url: Union[str, None]
    preview_urls: list[str]
    download_count: int
    star_count: int
    variant_count: int
    mod_count: int
    default_variant: str
    page_url: str
    created_at: str
    updated_at: str
    description: str
    warnings: str
    discord_url: Union[str, None]
    website_url: Union[str, None]
    donation_urls: list[str]
    variants: list[ModpackVariant]


class ModpackEntryInput(TypedDict):
    """A mod of the catalog, or a file."""

    handle: NotRequired[str]
    slug: NotRequired[str]
    branch: NotRequired[str]
    version: NotRequired[Union[str, None]]
    title: NotRequired[str]
    author: NotRequired[str]
    artifact_base64: NotRequired[str]


ModpackFormat: TypeAlias = Literal["tpack", "zip"]

class ModpackInsert(TypedDict):
    """A pack. Omitted fields of an existing pack are unchanged."""

    handle: str
    slug: NotRequired[str]
    title: str
    summary: NotRequired[str]
    description: NotRequired[str]
    warnings: NotRequired[str]
    tags: NotRequired[list[str]]
    author: NotRequired[str]
    discord_url: NotRequired[Union[str, None]]
    website_url: NotRequired[Union[str, None]]
    donation_urls: NotRequired[list[str]]
    banner_base64: NotRequired[Union[str, None]]
    previews_base64: NotRequired[list[str]]
    visibility: NotRequired[ModpackVisibility]
    default_variant: NotRequired[str]
    variants: NotRequired[list[ModpackVariantInput]]


class ModpackInserted(TypedDict):
    """Result of the insert."""

    ok: Literal[True]
    pack: ModpackDetail


class ModpackList(TypedDict):
    """A page of packs."""

    items: list[Modpack]
    count: int
    total: int
    limit: int
    offset: int


class ModpackMod(TypedDict):
    """A mod of a pack."""

    handle: str
    slug: str
    title: str
    author: str
    variant: str
    version: Union[str, None]
    version_locked: bool
    is_beta: bool
    available: bool
    page_url: str
    author_url: str


class ModpackVariant(TypedDict):
    """A variant of a pack."""

    name: str
    label: str
    mod_count: int
    available_count: int
    download_url: str
    zip_url: str
    mods: list[ModpackMod]


class ModpackVariantInput(TypedDict):
    """A variant."""

    name: str
    label: NotRequired[str]
    mods: list[ModpackEntryInput]


ModpackVisibility: TypeAlias = Literal["draft", "unlisted", "public"]

class ModpacksOfMod(TypedDict):
    """Packs with a mod."""

    items: list[Modpack]
    count: int


class News(TypedDict):
    """The latest news."""

    items: list[NewsItem]
    count: int


class NewsHistory(TypedDict):
    """A page of the news archive."""

    items: list[NewsItem]
    count: int
    total: int
    next_cursor: Union[str, None]


class NewsItem(TypedDict):
    """An article of the official news."""

    title: str
    url: str
    author: str
    summary: str
    category: str
    categories: list[str]
    image: Union[str, None]
    published_at: Union[str, None]


class NoPlayerDuplicate(TypedDict):
    """A name without duplicates."""

    query: str
    found: Literal[False]
    enabled: bool


class OwnRequest(TypedDict):
    """A request with one of your tokens."""

    created_at: str
    token_id: str
    method: str
    route: str
    path: str
    status_code: int
    code: Union[str, None]
    duration_ms: int
    request_id: Union[str, None]
    count: int
    refused_by: Union[RefusedBy, None]


class OwnRequests(TypedDict):
    """A page of requests with your tokens."""

    items: list[OwnRequest]
    next_cursor: Union[str, None]
    has_more: bool


class PaidGemChange(TypedDict):
    """The gem after a change, and its cost in the game."""

    applied: bool
    cost: list[GemCostRow]
    gem: Gem


class PlayerBest(TypedDict):
    """Best, first and latest row of a player on one board, over all captures."""

    leaderboard: int
    board_name: Union[str, None]
    category: Union[str, None]
    best_rank: int
    latest_rank: int
    latest_score: float
    appearances: int
    first_seen: int
    last_seen: int


class PlayerBoards(TypedDict):
    """Best, first and latest row of a player on every board."""

    player_name: str
    renamed_from: Union[str, None]
    summary: PlayerSummary
    boards: list[PlayerBest]


class PlayerClass(TypedDict):
    """A class of a player."""

    class_index: int
    name: str
    icon: Union[str, None]
    power_rank_board: Union[int, None]
    effort_board: Union[int, None]
    paragon_board: Union[int, None]


class PlayerDuplicate(TypedDict):
    """A name of several characters, or with several spellings."""

    name: str
    kind: DuplicateKind
    verdict: DuplicateVerdict
    boards: int
    max_occurrences: int
    spellings: list[str]
    first_anchor: int
    last_anchor: int
    evidence: DuplicateEvidence
    method_version: int
    updated_at: int


PlayerDuplicateLookup: TypeAlias = "Union[FoundPlayerDuplicate, NoPlayerDuplicate]"

class PlayerDuplicates(TypedDict):
    """A page of duplicate names."""

    duplicates: list[PlayerDuplicate]
    total: int
    current: int
    latest_anchor: Union[int, None]
    limit: int
    offset: int
    enabled: bool
    method_version: int


class PlayerHistory(TypedDict):
    """History of a player."""

    player_name: str
    items: list[LeaderboardHistoryItem]
    count: int


class PlayerLine(TypedDict):
    """The series of a player on one board."""

    uuid: int
    name: str
    best_rank: int
    slot: int
    slots: int
    points: list[LeaderboardPoint]


class PlayerProfile(TypedDict):
    """Profile of a player."""

    player_name: str
    verified: bool
    renamed_from: Union[str, None]
    summary: PlayerSummary
    boards: list[PlayerBest]
    sigil: Union[PlayerSigil, None]
    classes: list[PlayerClass]
    recent: list[PlayerRecentItem]


class PlayerRecentItem(TypedDict):
    """A row of a player on a board at a capture of the last days."""

    rank: int
    player_name: str
    score: float
    prev_rank: Union[int, None]
    prev_score: Union[float, None]
    rank_delta: Union[int, None]
    score_delta: Union[float, None]
    is_new: bool
    delve: NotRequired[LeaderboardDelve]
    leaderboard: int
    board_name: str
    created_at: int


class PlayerRename(TypedDict):
    """A name that probably replaced another."""

    id: int
    from_name: str
    to_name: str
    from_anchor: int
    to_anchor: int
    confidence: float
    matched_boards: int
    evidence: RenameEvidence
    method_version: int
    created_at: int


class PlayerRenames(TypedDict):
    """A page of renames."""

    renames: list[PlayerRename]
    total: int
    limit: int
    offset: int
    enabled: bool
    method_version: int


class PlayerSeries(TypedDict):
    """Series of a player on every board."""

    player_name: str
    canonical_name: str
    days: int
    window_start: int
    window_end: int
    anchors: list[int]
    duplicate_boards: list[int]
    series: list[PlayerLine]


class PlayerSigil(TypedDict):
    """What the sigil of a player shows; see `/v1/stats/sigil`."""

    power_rank: int
    power_rank_board: int
    power_rank_class: str
    main_mastery: int
    geode_mastery: int
    mastery: int


class PlayerSummary(TypedDict):
    """Summary of a player over all captures."""

    boards_appeared: int
    appearances: int
    best_rank: Union[int, None]
    best_rank_board_uuid: Union[int, None]
    best_rank_board_name: Union[str, None]
    top10_count: int
    top100_count: int
    latest_anchor: Union[int, None]
    last_played: Union[int, None]


class PopularMods(TypedDict):
    """Popular mods."""

    items: list[ListedMod]
    count: int


class PowerRankRecord(TypedDict):
    """The highest power rank of all classes."""

    value: int
    board_uuid: int
    player_name: str
    anchor: int


ProjectReleaseState: TypeAlias = Literal["draft", "scheduled", "published", "withdrawn"]

ProjectRole: TypeAlias = Literal["owner", "author"]

PublishingAllowanceName: TypeAlias = Literal["bytes", "uploads", "projects", "drafts", "scheduled", "keys", "invitations", "announcements"]

PublishingAllowancePeriod: TypeAlias = Literal["day", "total"]

class PublishingAllowances(TypedDict):
    """What an account may use for its projects."""

    items: list[dict[str, Any]]


class ReadStat(TypedDict):
    """A recognised stat."""

    value: float
    unit: ReadStatUnit
    raw: str
    confidence: float
    in_range: bool
    type_match: bool
    derived: bool


ReadStatUnit: TypeAlias = Literal["count", "percent"]

class RefusedBy(TypedDict):
    """The rate limit that refused a request."""

    name: Union[str, None]
    limit: Union[int, None]
    window_seconds: Union[int, None]
    reset_at: Union[str, None]
    message: str


class RenameChain(TypedDict):
    """Renames before and after a name."""

    query: str
    current_name: str
    aliases: list[str]
    edges: list[PlayerRename]
    rename_count: int


class RenameEvidence(TypedDict):
    """Evidence of a rename."""

    gap_seconds: int
    boards: list[RenamedBoard]
    terms: RenameTerms
    summary: str


class RenameTerms(TypedDict):
    """Terms of the confidence."""

    matched_boards: int
    runnerup_overlap: int
    board_term: float
    tightness: float
    exclusivity: float
    rarity: float
    mean_drift_pct: float
    confidence: float


class RenamedBoard(TypedDict):
    """A board with both names."""

    uuid: int
    name: str
    score_from: float
    score_to: float
    drift_pct: float


class RenamesBackfill(TypedDict):
    """A started backfill."""

    started: Literal[True]
    clear_first: bool


class RenamesBackfillStatus(TypedDict):
    """Progress of the backfill of renames."""

    running: bool
    total: int
    done: int
    detected: int
    skipped_gap: int
    started_at: Union[int, None]
    finished_at: Union[int, None]
    last_anchor: Union[int, None]
    clear_first: bool
    lifetime_boards: int
    cleared: Union[int, None]
    recorded_renames: int


RotationBadge: TypeAlias = Literal["daily-buffs", "weekly-buffs", "corruxion", "fluxion", "gardening", "biomes", "wild-mana", "stampy", "challenge", "chaos-chest"]

Scope: TypeAlias = Literal["rotations:read", "feeds:read", "stats:read", "gems:read", "misc:read", "mods:read", "updates:read", "codexes:read", "clientapp:read", "leaderboards:read", "market:read", "activity:read", "giveaways:read", "events:read", "ocr:read"]

class ScreenshotForm(TypedDict):
    """A form with a screenshot of a character sheet."""

    file: str


class SearchHit(TypedDict):
    """A search hit."""

    type: SearchType
    name: str
    about: str
    image: Union[str, None]
    link: str
    score: float
    matched: SearchMatch
    excerpt: Union[str, None]


class SearchMatch(TypedDict):
    """What matched."""

    field: SearchMatchField
    words: list[str]
    typos: int


SearchMatchField: TypeAlias = Literal["name", "text"]

class SearchOmission(TypedDict):
    """A type that the client may not read."""

    type: SearchType
    scope: str


class SearchResults(TypedDict):
    """Search hits."""

    query: str
    items: list[SearchHit]
    count: int
    omitted: list[SearchOmission]


class SearchSuggestion(TypedDict):
    """A name that completes the query."""

    type: SearchType
    name: str
    about: str
    image: Union[str, None]
    link: str


class SearchSuggestions(TypedDict):
    """Names that complete a query."""

    query: str
    items: list[SearchSuggestion]
    count: int
    omitted: list[SearchOmission]


SearchType: TypeAlias = Literal["codex", "item", "mod", "player", "board", "doc", "page"]

class ServerStatusMessage(TypedDict):
    """A `server_status` message."""

    type: Literal["server_status"]
    data: GameStatus
    ts: int


class ServerTime(TypedDict):
    """Server time, game day and next resets."""

    now_unix: int
    now_iso: str
    game_day: Weekday
    daily_reset_at: int
    weekly_reset_at: int


class ServiceAnnouncement(TypedDict):
    """An incident or a planned maintenance in the words of the operator."""

    id: str
    title: str
    severity: AnnouncementSeverity
    parts: list[str]
    starts_at: int
    ends_at: Union[int, None]
    closed_at: Union[int, None]
    updates: list[AnnouncementUpdate]


class ServiceDatabase(TypedDict):
    """Size and growth of the database."""

    bytes: int
    limit_bytes: int
    bytes_per_day: Union[int, None]
    full_at: Union[int, None]


class ServiceDay(TypedDict):
    """A day of checks."""

    date: str
    checked_minutes: int
    degraded_minutes: dict[str, int]
    red_minutes: dict[str, int]


ServiceFault: TypeAlias = Literal["degraded", "red"]

class ServiceIncident(TypedDict):
    """A period in which a part was not green."""

    part: ServicePartName
    state: ServiceFault
    opened_at: int
    closed_at: Union[int, None]
    detail: Union[str, None]


class ServiceJob(TypedDict):
    """A background job."""

    name: str
    state: ServiceState
    last_run_at: Union[int, None]
    last_success_at: Union[int, None]
    failures: int
    next_run_at: Union[int, None]


class ServicePart(TypedDict):
    """A part of the service."""

    name: ServicePartName
    label: str
    state: ServiceState
    detail: Union[str, None]


ServicePartName: TypeAlias = Literal["scheduler", "store", "database", "cache", "files", "objects", "stream", "jobs", "upstreams"]

ServiceState: TypeAlias = Literal["green", "degraded", "red", "unknown"]

class ServiceStatus(TypedDict):
    """State of the service."""

    status: ServiceVerdict
    checked_at: Union[int, None]
    age_seconds: Union[int, None]
    read_from: Union[ServiceStatusStore, None]
    parts: list[ServicePart]
    jobs: list[ServiceJob]
    upstreams: list[ServiceUpstream]
    database: Union[ServiceDatabase, None]
    days: list[ServiceDay]
    announcements: list[ServiceAnnouncement]
    incidents: list[ServiceIncident]


ServiceStatusStore: TypeAlias = Literal["object", "copy"]

class ServiceUpstream(TypedDict):
    """An external service."""

    name: str
    state: ServiceState
    last_success_at: Union[int, None]
    age_seconds: Union[int, None]
    failures: int
    next_try_at: Union[int, None]


ServiceVerdict: TypeAlias = Literal["green", "degraded", "red"]

SigilScale: TypeAlias = Literal[1, 2]

class Snapshot(TypedDict):
    """Several bodies for the same instant."""

    parts: dict[str, Any]


SnapshotPart: TypeAlias = Literal["server-time", "daily-buffs", "weekly-buffs", "corruxion", "fluxion", "gardening", "chaos-chest", "challenge/current", "calendar", "delves/weeks", "biomes", "wild-mana", "stampy", "luxion", "news", "game-status"]

class Software(TypedDict):
    """A program for modding."""

    name: str
    free: bool
    url: str
    description: str


class SoftwareCategory(TypedDict):
    """A category of programs."""

    key: str
    description: str
    software: list[Software]


class SoftwareList(TypedDict):
    """Modding software by category."""

    categories: list[SoftwareCategory]
    count: int


class StampyMessage(TypedDict):
    """A `stampy` message."""

    type: Literal["stampy"]
    data: BiomeRotations
    ts: int


class StarChart(TypedDict):
    """Bonuses of a star chart code."""

    stats: dict[str, StarChartSum]
    abilities: list[str]
    paths_count: int
    bounty_hunt: dict[str, Any]


class StarChartInput(TypedDict):
    """A star chart code."""

    star_chart: NotRequired[Union[str, None]]


class StarChartSum(TypedDict):
    """Bonus of a chart on a stat."""

    flat: float
    pct: float


class StatSource(TypedDict):
    """One source of a stat."""

    name: str
    value: float
    type: StatSourceType
    percentage: bool
    step: Union[float, None]
    permanent: Union[bool, None]


StatSourceType: TypeAlias = Literal["slider", "switch"]

class StatTable(TypedDict):
    """All sources of a stat, without totals."""

    stat: StatTableName
    label: str
    sources: list[StatSource]
    count: int


StatTableName: TypeAlias = Literal["power-rank", "magic-find", "light"]

class Stream(TypedDict):
    """A live broadcast of the game."""

    channel: str
    login: str
    url: str
    title: str
    viewers: int
    game: Union[str, None]
    started_at: Union[str, None]
    thumbnail: Union[str, None]


StreamEventType: TypeAlias = Literal["challenge", "chaos", "corruxion", "fluxion", "longshade", "wild_mana", "stampy", "daily_bonuses", "activity", "server_status", "game_news", "giveaways", "game_update", "mod_release", "luxion"]

StreamMessage: TypeAlias = "Union[ChallengeMessage, ChaosMessage, CorruxionMessage, FluxionMessage, LongshadeMessage, WildManaMessage, StampyMessage, DailyBonusesMessage, ActivityMessage, ServerStatusMessage, GameNewsMessage, GiveawaysMessage, GameUpdateMessage, ModReleaseMessage, LuxionMessage]"

class Streams(TypedDict):
    """The live broadcasts."""

    items: list[Stream]
    count: int
    fetched_at: Union[str, None]


class Subclass(TypedDict):
    """Bonuses of a class used as a subclass."""

    name: str
    description: str
    level: dict[str, list[SubclassBonus]]
    power: dict[str, str]


class SubclassBonus(TypedDict):
    """Bonus of a subclass on a stat at one of its levels."""

    name: str
    value: float
    percentage: bool
    absolute: bool


class Supporters(TypedDict):
    """Supporters of the service."""

    supporters: list[str]
    count: int


TableFormat: TypeAlias = Literal["json", "csv", "jsonl"]

class TimeConvert(TypedDict):
    """A point in time in every zone."""

    unix: int
    iso_utc: str
    zones: list[ZoneClock]
    chat_timestamp_codes: list[ChatTimestampCode]


class TimeConvertInput(TypedDict):
    """A point in time: unix seconds, or a local time in a zone."""

    datetime: NotRequired[Union[str, None]]
    timezone: NotRequired[str]
    unix: NotRequired[Union[int, None]]


class TimeNow(TypedDict):
    """The current time in every zone."""

    unix: int
    zones: list[ZoneClock]


class TimeZone(TypedDict):
    """A time zone of the service."""

    id: str
    name: str


class TimeZones(TypedDict):
    """The zones of the time tools."""

    items: list[TimeZone]
    count: int


class TmodBuildFile(TypedDict):
    """A file to pack."""

    path: str
    content_base64: str


class TmodBuildInput(TypedDict):
    """Contents of a new `.tmod` file."""

    version: NotRequired[int]
    properties: NotRequired[TmodProperties]
    files: list[TmodBuildFile]


class TmodFileEntry(TypedDict):
    """A packed file."""

    path: str
    stored_path: NotRequired[str]
    index: int
    offset: int
    size: int
    checksum: int
    content_base64: NotRequired[str]
    checksum_ok: NotRequired[bool]


class TmodProperties(TypedDict):
    """Properties, stored in the order sent. `modLoader` is always overwritten. Any other names are allowed, with text values."""

    title: NotRequired[str]
    author: NotRequired[str]
    notes: NotRequired[str]
    modVersion: NotRequired[str]
    tags: NotRequired[Union[str, list[str]]]
    flags: NotRequired[Union[str, int]]


class TmodRead(TypedDict):
    """Contents of a `.tmod` file."""

    version: int
    header_size: int
    properties: dict[str, str]
    file_count: int
    files: list[TmodFileEntry]
    metadata_only: bool
    flags: int
    categories: list[str]
    header_repaired: bool


class Token(TypedDict):
    """The token of the request."""

    name: str
    prefix: str
    scopes: int
    scope_names: list[Scope]
    expires_at: Union[str, None]
    allowed_ip_count: int
    budgets: list[TokenBudget]


class TokenBudget(TypedDict):
    """A rate limit of a token in the current window."""

    name: TokenBudgetName
    limit: int
    remaining: int
    reset: int
    window_seconds: int


TokenBudgetName: TypeAlias = Literal["token", "codexes"]

Translations = TypedDict(
    "Translations",
    {
        "fr": "NotRequired[str]",
        "de": "NotRequired[str]",
        "pt-PT": "NotRequired[str]",
        "es": "NotRequired[str]",
        "ru": "NotRequired[str]",
        "ja": "NotRequired[str]",
        "ko": "NotRequired[str]",
        "zh-CN": "NotRequired[str]",
        "th": "NotRequired[str]",
    },
)

class Video(TypedDict):
    """A video about the game."""

    title: str
    url: str
    channel: str
    video_id: Union[str, None]
    published_at: Union[str, None]
    thumbnail_url: Union[str, None]


class Videos(TypedDict):
    """Recent videos."""

    items: list[Video]
    count: int
    fetched_at: Union[str, None]


Weekday: TypeAlias = Literal["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]

class WeeklyBuff(TypedDict):
    """The buff of one week."""

    name: str
    color: str
    weekday: Weekday
    emoji: str
    buffs: list[str]
    banner: Union[str, None]


class WeeklyBuffs(TypedDict):
    """The buff of the game week and those of the rotation."""

    current: WeeklyBuff
    rotation: list[WeeklyBuff]


class WildManaMessage(TypedDict):
    """A `wild_mana` message."""

    type: Literal["wild_mana"]
    data: BiomeRotations
    ts: int


class ZoneClock(TypedDict):
    """Local time in a zone."""

    id: str
    name: str
    datetime: str
    date: str
    time: str

