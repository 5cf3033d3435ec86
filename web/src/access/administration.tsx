import { SubPages } from '../ui/sub-pages.tsx';
import { adminPages } from './admin-pages.ts';

/** What administrators do. */
export const Administration = () => <SubPages label="Administration" pages={adminPages} />;
