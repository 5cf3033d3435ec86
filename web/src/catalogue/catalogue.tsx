import { SubPages } from '../ui/sub-pages.tsx';
import { cataloguePages } from './catalogue-pages.ts';

/** Everything that features refer to. */
export const Catalogue = () => <SubPages label="Configure" pages={cataloguePages} />;
