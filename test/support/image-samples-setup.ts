import { readdirSync, readFileSync } from 'node:fs';
import type { TestProject } from 'vitest/node';

const FOLDER = new URL('../fixtures/ocr/', import.meta.url);

/** Provides the sample images to tests in workerd, which have no file system. */
export default function setup(project: TestProject): void {
  const entries = readdirSync(FOLDER).map((name) => [name, readFileSync(new URL(name, FOLDER)).toString('base64')]);
  project.provide('images', Object.fromEntries(entries));
}
