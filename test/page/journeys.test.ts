// One file, because a file runs in one process with one browser, which compiles the UI only once: in several browsers,
// the same tests needed a third more time.
import './journeys/access.ts';
import './journeys/change-requests.ts';
import './journeys/edges.ts';
import './journeys/feature.ts';
import './journeys/first-feature.ts';
import './journeys/health.ts';
import './journeys/history.ts';
import './journeys/integrations.ts';
import './journeys/list.ts';
import './journeys/log.ts';
import './journeys/shell.ts';
import './journeys/sign-in.ts';
