import { NavLink, type NavLinkProps } from '@mantine/core';
import { createLink, Outlet, useLocation } from '@tanstack/react-router';
import { type AnchorHTMLAttributes, useEffect, useRef } from 'react';
import classes from './admin.module.css';
import { adminPages } from './admin-pages.ts';

type LinkProps = NavLinkProps & Omit<AnchorHTMLAttributes<HTMLAnchorElement>, keyof NavLinkProps>;

const SubPageLink = createLink((props: LinkProps) => <NavLink component="a" {...props} />);

const groups = [...Map.groupBy(adminPages, ({ group }) => group)];

/** What administrators do: a list of pages beside the one that is open. */
export function Administration() {
  const { pathname } = useLocation();
  const list = useRef<HTMLElement>(null);
  // On a phone the list is one line, and the page that is open may lie behind its end.
  useEffect(() => {
    const links = [...(list.current?.querySelectorAll('a') ?? [])];
    const here = links[adminPages.findIndex(({ to }) => pathname.startsWith(to))];
    if (list.current && here) list.current.scrollLeft = here.offsetLeft - 16;
  }, [pathname]);
  return (
    <div className={classes.layout}>
      <nav ref={list} aria-label="Administration" className={classes.pages}>
        {groups.map(([group, pages]) => (
          <div key={group} className={classes.pageGroup}>
            <div className={classes.groupName}>{group}</div>
            {pages.map(({ to, label }) => {
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
