import { NavLink, type NavLinkProps } from '@mantine/core';
import { createLink, getRouteApi, Outlet, useLocation } from '@tanstack/react-router';
import type { AnchorHTMLAttributes } from 'react';
import classes from '../projects.module.css';

const route = getRouteApi('/shell/projects/$projectId/settings');

type RoomProps = NavLinkProps & Omit<AnchorHTMLAttributes<HTMLAnchorElement>, keyof NavLinkProps>;

const RoomLink = createLink((props: RoomProps) => <NavLink component="a" {...props} />);

const rooms = [
  { to: '/projects/$projectId/settings', label: 'General' },
  { to: '/projects/$projectId/settings/access', label: 'Members and roles' },
  { to: '/projects/$projectId/settings/environments', label: 'Environments' },
  { to: '/projects/$projectId/settings/default-strategy', label: 'Default strategies' },
  { to: '/projects/$projectId/settings/api-access', label: 'API tokens' },
  { to: '/projects/$projectId/settings/segments', label: 'Segments' },
  { to: '/projects/$projectId/settings/import-export', label: 'Import and export' },
] as const;

/** The settings of a project: a list of rooms beside the one that is open. */
export function ProjectSettings() {
  const { projectId } = route.useParams();
  const { pathname } = useLocation();
  const here = pathname.replace(/\/$/, '');
  return (
    <div className={classes.settings}>
      <nav aria-label="Settings" className={classes.rooms}>
        {rooms.map(({ to, label }) => {
          const isHere = here.endsWith(to.replace('$projectId', encodeURIComponent(projectId)));
          return (
            <RoomLink
              key={to}
              to={to}
              params={{ projectId }}
              activeOptions={{ exact: true }}
              label={label}
              active={isHere}
              className={classes.room}
            />
          );
        })}
      </nav>
      <div className={classes.roomContent}>
        <Outlet />
      </div>
    </div>
  );
}
