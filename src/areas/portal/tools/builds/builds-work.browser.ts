import { serveWork } from '../frame/worker.browser.ts';
import { type BuildsResult, type BuildsWork, computeBuilds } from './builds-tool.domain.ts';

serveWork<BuildsWork, BuildsResult>(computeBuilds);
