import { NavLink, type NavLinkProps } from '@mantine/core';
import { createLink, Outlet, useLocation } from '@tanstack/react-router';
import type { AnchorHTMLAttributes } from 'react';
import type { adminPages } from '../access/admin-pages.ts';
import { cataloguePages } from '../catalogue/catalogue-pages.ts';
import { useMay } from '../me.ts';
import { useActiveInView } from '../ui/active-in-view.ts';
import classes from '../ui/page.module.css';
import { allowedPages } from './allowed-pages.ts';

type LinkProps = NavLinkProps & Omit<AnchorHTMLAttributes<HTMLAnchorElement>, keyof NavLinkProps>;

const SubPageLink = createLink((props: LinkProps) => <NavLink component="a" {...props} />);

interface Props {
  readonly label: string;
  readonly pages: readonly ((typeof adminPages)[number] | (typeof cataloguePages)[number])[];
}

/** Pages of one kind: a list of them beside the one that is open. */
function SubPages({ label: name, pages }: Props) {
  const { pathname } = useLocation();
  const list = useActiveInView(pathname);
  // The page says which permission is missing.
  if (pages.length === 0) return <Outlet />;
  return (
    <div className={classes.layout}>
      <nav ref={list} aria-label={name} className={classes.pages}>
        {[...Map.groupBy(pages, ({ group }) => group)].map(([group, members]) => (
          <div key={group} className={classes.pageGroup}>
            <div className={classes.groupName}>{group}</div>
            {members.map(({ to, label }) => {
              const isHere = pathname.startsWith(to);
              return (
                <SubPageLink
                  key={to}
                  to={to}
                  label={label}
                  active={isHere}
                  aria-current={isHere ? 'page' : undefined}
                  className={classes.page}
                />
              );
            })}
          </div>
        ))}
      </nav>
      <div className={classes.content}>
        <Outlet />
      </div>
    </div>
  );
}

/** Everything that features refer to. */
export const Configure = () => <SubPages label="Configuration" pages={cataloguePages} />;

/** The pages of the administration that the user can open. */
export const Administration = () => (
  <SubPages label="Administration" pages={allowedPages(useMay())} />
);
