ALTER TABLE `ingest_log` ADD `hidden_characters` integer;
--> statement-breakpoint
CREATE TRIGGER users_journal_update AFTER UPDATE OF email, is_active, is_verified, is_superuser, password_hash, token_version ON users WHEN old.email IS NOT new.email OR old.is_active IS NOT new.is_active OR old.is_verified IS NOT new.is_verified OR old.is_superuser IS NOT new.is_superuser OR old.password_hash IS NOT new.password_hash OR old.token_version IS NOT new.token_version BEGIN
  INSERT INTO outbox (kind, key, next_try_at)
    VALUES ('change-entries', 'row:users:' || hex(randomblob(8)) || ':' || json_object('id', new.id), unixepoch());
END;
--> statement-breakpoint
CREATE TRIGGER second_factors_journal_update AFTER UPDATE OF sealed_secret, confirmed_at ON second_factors WHEN old.sealed_secret IS NOT new.sealed_secret OR old.confirmed_at IS NOT new.confirmed_at BEGIN
  INSERT INTO outbox (kind, key, next_try_at)
    VALUES ('change-entries', 'row:second_factors:' || hex(randomblob(8)) || ':' || json_object('user_id', new.user_id), unixepoch());
END;
--> statement-breakpoint
CREATE TRIGGER second_factors_journal_delete AFTER DELETE ON second_factors BEGIN
  INSERT INTO outbox (kind, key, next_try_at)
    VALUES ('change-entries', 'row:second_factors:' || hex(randomblob(8)) || ':' || json_object('user_id', old.user_id), unixepoch());
END;
--> statement-breakpoint
CREATE TRIGGER second_factors_journal_insert AFTER INSERT ON second_factors BEGIN
  INSERT INTO outbox (kind, key, next_try_at)
    VALUES ('change-entries', 'row:second_factors:' || hex(randomblob(8)) || ':' || json_object('user_id', new.user_id), unixepoch());
END;
--> statement-breakpoint
CREATE TRIGGER recovery_codes_journal_update AFTER UPDATE OF code_hash ON recovery_codes WHEN old.code_hash IS NOT new.code_hash BEGIN
  INSERT INTO outbox (kind, key, next_try_at)
    VALUES ('change-entries', 'row:recovery_codes:' || hex(randomblob(8)) || ':' || json_object('user_id', new.user_id), unixepoch());
END;
--> statement-breakpoint
CREATE TRIGGER recovery_codes_journal_delete AFTER DELETE ON recovery_codes BEGIN
  INSERT INTO outbox (kind, key, next_try_at)
    VALUES ('change-entries', 'row:recovery_codes:' || hex(randomblob(8)) || ':' || json_object('user_id', old.user_id), unixepoch());
END;
--> statement-breakpoint
CREATE TRIGGER recovery_codes_journal_insert AFTER INSERT ON recovery_codes BEGIN
  INSERT INTO outbox (kind, key, next_try_at)
    VALUES ('change-entries', 'row:recovery_codes:' || hex(randomblob(8)) || ':' || json_object('user_id', new.user_id), unixepoch());
END;
--> statement-breakpoint
CREATE TRIGGER setting_overrides_journal_update AFTER UPDATE OF value ON setting_overrides WHEN old.value IS NOT new.value BEGIN
  INSERT INTO outbox (kind, key, next_try_at)
    VALUES ('change-entries', 'row:setting_overrides:' || hex(randomblob(8)) || ':' || json_object('key', new.key), unixepoch());
END;
--> statement-breakpoint
CREATE TRIGGER setting_overrides_journal_delete AFTER DELETE ON setting_overrides BEGIN
  INSERT INTO outbox (kind, key, next_try_at)
    VALUES ('change-entries', 'row:setting_overrides:' || hex(randomblob(8)) || ':' || json_object('key', old.key), unixepoch());
END;
--> statement-breakpoint
CREATE TRIGGER setting_overrides_journal_insert AFTER INSERT ON setting_overrides BEGIN
  INSERT INTO outbox (kind, key, next_try_at)
    VALUES ('change-entries', 'row:setting_overrides:' || hex(randomblob(8)) || ':' || json_object('key', new.key), unixepoch());
END;
--> statement-breakpoint
CREATE TRIGGER project_keys_journal_update AFTER UPDATE OF hashed_token, ip_salt, allowlist, expires_at, ended_at, end_reason ON project_keys WHEN old.hashed_token IS NOT new.hashed_token OR old.ip_salt IS NOT new.ip_salt OR old.allowlist IS NOT new.allowlist OR old.expires_at IS NOT new.expires_at OR old.ended_at IS NOT new.ended_at OR old.end_reason IS NOT new.end_reason BEGIN
  INSERT INTO outbox (kind, key, next_try_at)
    VALUES ('change-entries', 'row:project_keys:' || hex(randomblob(8)) || ':' || json_object('id', new.id), unixepoch());
END;
--> statement-breakpoint
CREATE TRIGGER project_keys_journal_delete AFTER DELETE ON project_keys BEGIN
  INSERT INTO outbox (kind, key, next_try_at)
    VALUES ('change-entries', 'row:project_keys:' || hex(randomblob(8)) || ':' || json_object('id', old.id), unixepoch());
END;
--> statement-breakpoint
CREATE TRIGGER mods_journal_update AFTER UPDATE OF visibility, taken_down_at, is_approved ON mods WHEN old.visibility IS NOT new.visibility OR old.taken_down_at IS NOT new.taken_down_at OR old.is_approved IS NOT new.is_approved BEGIN
  INSERT INTO outbox (kind, key, next_try_at)
    VALUES ('change-entries', 'row:mods:' || hex(randomblob(8)) || ':' || json_object('id', new.id), unixepoch());
END;
--> statement-breakpoint
CREATE TRIGGER mods_journal_delete AFTER DELETE ON mods BEGIN
  INSERT INTO outbox (kind, key, next_try_at)
    VALUES ('change-entries', 'row:mods:' || hex(randomblob(8)) || ':' || json_object('id', old.id), unixepoch());
END;
--> statement-breakpoint
CREATE TRIGGER mod_releases_journal_update AFTER UPDATE OF withdrawn_at, withdraw_reason ON mod_releases WHEN old.withdrawn_at IS NOT new.withdrawn_at OR old.withdraw_reason IS NOT new.withdraw_reason BEGIN
  INSERT INTO outbox (kind, key, next_try_at)
    VALUES ('change-entries', 'row:mod_releases:' || hex(randomblob(8)) || ':' || json_object('id', new.id), unixepoch());
END;
--> statement-breakpoint
CREATE TRIGGER mod_releases_journal_delete AFTER DELETE ON mod_releases BEGIN
  INSERT INTO outbox (kind, key, next_try_at)
    VALUES ('change-entries', 'row:mod_releases:' || hex(randomblob(8)) || ':' || json_object('id', old.id), unixepoch());
END;
--> statement-breakpoint
CREATE TRIGGER mod_artifact_owners_journal_update AFTER UPDATE OF handle ON mod_artifact_owners WHEN old.handle IS NOT new.handle BEGIN
  INSERT INTO outbox (kind, key, next_try_at)
    VALUES ('change-entries', 'row:mod_artifact_owners:' || hex(randomblob(8)) || ':' || json_object('sha256', new.sha256), unixepoch());
END;
--> statement-breakpoint
CREATE TRIGGER mod_artifact_owners_journal_delete AFTER DELETE ON mod_artifact_owners BEGIN
  INSERT INTO outbox (kind, key, next_try_at)
    VALUES ('change-entries', 'row:mod_artifact_owners:' || hex(randomblob(8)) || ':' || json_object('sha256', old.sha256), unixepoch());
END;
--> statement-breakpoint
CREATE TRIGGER mod_refused_files_journal_update AFTER UPDATE OF refused_at ON mod_refused_files WHEN old.refused_at IS NOT new.refused_at BEGIN
  INSERT INTO outbox (kind, key, next_try_at)
    VALUES ('change-entries', 'row:mod_refused_files:' || hex(randomblob(8)) || ':' || json_object('sha256', new.sha256), unixepoch());
END;
--> statement-breakpoint
CREATE TRIGGER mod_refused_files_journal_delete AFTER DELETE ON mod_refused_files BEGIN
  INSERT INTO outbox (kind, key, next_try_at)
    VALUES ('change-entries', 'row:mod_refused_files:' || hex(randomblob(8)) || ':' || json_object('sha256', old.sha256), unixepoch());
END;
--> statement-breakpoint
CREATE TRIGGER mod_refused_files_journal_insert AFTER INSERT ON mod_refused_files BEGIN
  INSERT INTO outbox (kind, key, next_try_at)
    VALUES ('change-entries', 'row:mod_refused_files:' || hex(randomblob(8)) || ':' || json_object('sha256', new.sha256), unixepoch());
END;
--> statement-breakpoint
CREATE TRIGGER mod_packs_journal_update AFTER UPDATE OF visibility ON mod_packs WHEN old.visibility IS NOT new.visibility BEGIN
  INSERT INTO outbox (kind, key, next_try_at)
    VALUES ('change-entries', 'row:mod_packs:' || hex(randomblob(8)) || ':' || json_object('id', new.id), unixepoch());
END;
--> statement-breakpoint
CREATE TRIGGER mod_packs_journal_delete AFTER DELETE ON mod_packs BEGIN
  INSERT INTO outbox (kind, key, next_try_at)
    VALUES ('change-entries', 'row:mod_packs:' || hex(randomblob(8)) || ':' || json_object('id', old.id), unixepoch());
END;
--> statement-breakpoint
CREATE TRIGGER project_handles_journal_update AFTER UPDATE OF user_id ON project_handles WHEN old.user_id IS NOT new.user_id BEGIN
  INSERT INTO outbox (kind, key, next_try_at)
    VALUES ('change-entries', 'row:project_handles:' || hex(randomblob(8)) || ':' || json_object('handle', new.handle), unixepoch());
END;
--> statement-breakpoint
CREATE TRIGGER project_handles_journal_delete AFTER DELETE ON project_handles BEGIN
  INSERT INTO outbox (kind, key, next_try_at)
    VALUES ('change-entries', 'row:project_handles:' || hex(randomblob(8)) || ':' || json_object('handle', old.handle), unixepoch());
END;
--> statement-breakpoint
CREATE TRIGGER project_handles_journal_insert AFTER INSERT ON project_handles BEGIN
  INSERT INTO outbox (kind, key, next_try_at)
    VALUES ('change-entries', 'row:project_handles:' || hex(randomblob(8)) || ':' || json_object('handle', new.handle), unixepoch());
END;
--> statement-breakpoint
CREATE TRIGGER project_members_journal_update AFTER UPDATE OF role ON project_members WHEN old.role IS NOT new.role BEGIN
  INSERT INTO outbox (kind, key, next_try_at)
    VALUES ('change-entries', 'row:project_members:' || hex(randomblob(8)) || ':' || json_object('project_id', new.project_id, 'user_id', new.user_id), unixepoch());
END;
--> statement-breakpoint
CREATE TRIGGER project_members_journal_delete AFTER DELETE ON project_members BEGIN
  INSERT INTO outbox (kind, key, next_try_at)
    VALUES ('change-entries', 'row:project_members:' || hex(randomblob(8)) || ':' || json_object('project_id', old.project_id, 'user_id', old.user_id), unixepoch());
END;
--> statement-breakpoint
CREATE TRIGGER project_access_journal_update AFTER UPDATE OF state ON project_access WHEN old.state IS NOT new.state BEGIN
  INSERT INTO outbox (kind, key, next_try_at)
    VALUES ('change-entries', 'row:project_access:' || hex(randomblob(8)) || ':' || json_object('user_id', new.user_id), unixepoch());
END;
--> statement-breakpoint
CREATE TRIGGER project_access_journal_delete AFTER DELETE ON project_access BEGIN
  INSERT INTO outbox (kind, key, next_try_at)
    VALUES ('change-entries', 'row:project_access:' || hex(randomblob(8)) || ':' || json_object('user_id', old.user_id), unixepoch());
END;
--> statement-breakpoint
CREATE TRIGGER project_take_downs_journal_update AFTER UPDATE OF created_at ON project_take_downs WHEN old.created_at IS NOT new.created_at BEGIN
  INSERT INTO outbox (kind, key, next_try_at)
    VALUES ('change-entries', 'row:project_take_downs:' || hex(randomblob(8)) || ':' || json_object('project_id', new.project_id, 'user_id', new.user_id), unixepoch());
END;
--> statement-breakpoint
CREATE TRIGGER project_take_downs_journal_delete AFTER DELETE ON project_take_downs BEGIN
  INSERT INTO outbox (kind, key, next_try_at)
    VALUES ('change-entries', 'row:project_take_downs:' || hex(randomblob(8)) || ':' || json_object('project_id', old.project_id, 'user_id', old.user_id), unixepoch());
END;
--> statement-breakpoint
CREATE TRIGGER project_take_downs_journal_insert AFTER INSERT ON project_take_downs BEGIN
  INSERT INTO outbox (kind, key, next_try_at)
    VALUES ('change-entries', 'row:project_take_downs:' || hex(randomblob(8)) || ':' || json_object('project_id', new.project_id, 'user_id', new.user_id), unixepoch());
END;
--> statement-breakpoint
CREATE TRIGGER project_allowances_journal_update AFTER UPDATE OF max ON project_allowances WHEN old.max IS NOT new.max BEGIN
  INSERT INTO outbox (kind, key, next_try_at)
    VALUES ('change-entries', 'row:project_allowances:' || hex(randomblob(8)) || ':' || json_object('user_id', new.user_id, 'name', new.name), unixepoch());
END;
--> statement-breakpoint
CREATE TRIGGER project_allowances_journal_delete AFTER DELETE ON project_allowances BEGIN
  INSERT INTO outbox (kind, key, next_try_at)
    VALUES ('change-entries', 'row:project_allowances:' || hex(randomblob(8)) || ':' || json_object('user_id', old.user_id, 'name', old.name), unixepoch());
END;
--> statement-breakpoint
CREATE TRIGGER project_allowances_journal_insert AFTER INSERT ON project_allowances BEGIN
  INSERT INTO outbox (kind, key, next_try_at)
    VALUES ('change-entries', 'row:project_allowances:' || hex(randomblob(8)) || ':' || json_object('user_id', new.user_id, 'name', new.name), unixepoch());
END;
--> statement-breakpoint
CREATE TRIGGER webhooks_journal_update AFTER UPDATE OF sealed_address, masked_address, address_key, sealed_secret, sealed_previous_secret, previous_until, is_active, disabled_reason ON webhooks WHEN old.sealed_address IS NOT new.sealed_address OR old.masked_address IS NOT new.masked_address OR old.address_key IS NOT new.address_key OR old.sealed_secret IS NOT new.sealed_secret OR old.sealed_previous_secret IS NOT new.sealed_previous_secret OR old.previous_until IS NOT new.previous_until OR old.is_active IS NOT new.is_active OR old.disabled_reason IS NOT new.disabled_reason BEGIN
  INSERT INTO outbox (kind, key, next_try_at)
    VALUES ('change-entries', 'row:webhooks:' || hex(randomblob(8)) || ':' || json_object('id', new.id), unixepoch());
END;
--> statement-breakpoint
CREATE TRIGGER webhooks_journal_delete AFTER DELETE ON webhooks BEGIN
  INSERT INTO outbox (kind, key, next_try_at)
    VALUES ('change-entries', 'row:webhooks:' || hex(randomblob(8)) || ':' || json_object('id', old.id), unixepoch());
END;
