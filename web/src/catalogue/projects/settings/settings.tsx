import { NavLink, type NavLinkProps } from '@mantine/core';
import { createLink, getRouteApi, Outlet, useLocation } from '@tanstack/react-router';
import type { AnchorHTMLAttributes } from 'react';
import { useActiveInView } from '../../../ui/active-in-view.ts';
import classes from '../projects.module.css';

const route = getRouteApi('/shell/projects/$projectId/settings');

type LinkProps = NavLinkProps & Omit<AnchorHTMLAttributes<HTMLAnchorElement>, keyof NavLinkProps>;

const SettingsLink = createLink((props: LinkProps) => <NavLink component="a" {...props} />);

const pages = [
  { to: '/projects/$projectId/settings', label: 'General' },
  { to: '/projects/$projectId/settings/access', label: 'Members and roles' },
  { to: '/projects/$projectId/settings/environments', label: 'Environments' },
  { to: '/projects/$projectId/settings/change-requests', label: 'Change requests' },
  { to: '/projects/$projectId/settings/default-strategy', label: 'Default strategies' },
  { to: '/projects/$projectId/settings/api-access', label: 'API tokens' },
  { to: '/projects/$projectId/settings/segments', label: 'Segments' },
  { to: '/projects/$projectId/settings/import-export', label: 'Import and export' },
] as const;

/** The settings of a project with their navigation. */
export function ProjectSettings() {
  const { projectId } = route.useParams();
  const { pathname } = useLocation();
  const list = useActiveInView(pathname);
  const here = pathname.replace(/\/$/, '');
  return (
    <div className={classes.settings}>
      <nav ref={list} aria-label="Settings" className={classes.pages}>
        {pages.map(({ to, label }) => {
          const isHere = here.endsWith(to.replace('$projectId', encodeURIComponent(projectId)));
          return (
            <SettingsLink
              key={to}
              to={to}
              params={{ projectId }}
              activeOptions={{ exact: true }}
              label={label}
              active={isHere}
              className={classes.page}
            />
          );
        })}
      </nav>
      <div>
        <Outlet />
      </div>
    </div>
  );
}
