# The cloud bridge. Build it in the root of the repository:
#   docker build -f deploy/container/bridge.Dockerfile -t lintel-bridge .
# The build stage runs on the machine's own architecture, also for an image of another one (--platform linux/arm64).
FROM --platform=$BUILDPLATFORM docker.io/library/node:24-bookworm-slim AS build
ARG TARGETARCH
WORKDIR /src
COPY . .
RUN npm ci --no-audit --no-fund \
 && npx lintel image package --arch "$TARGETARCH" --program bridge --out /out \
 && dpkg-deb --extract /out/lintel-bridge_*.deb /image \
 && install -d -m 0700 -o 10001 -g 10001 /image/data

# The commands of the bridge with pg_dump and pg_restore, for backups of PostgreSQL: --target backup. Use the version of the server.
FROM docker.io/library/postgres:18-bookworm AS backup
COPY --from=build /image/usr /usr
COPY --from=build --chown=10001:10001 /image/data /data
COPY --from=build --chown=10001:10001 /image/data /backups
USER 10001:10001
ENV LINTEL_DATA=/data
VOLUME ["/data", "/backups"]
ENTRYPOINT ["/usr/bin/lintel-bridge"]

FROM docker.io/library/debian:bookworm-slim
COPY --from=build /image/usr /usr
COPY --from=build --chown=10001:10001 /image/data /data
USER 10001:10001
ENV LINTEL_DATA=/data LINTEL_HTTP_HOST=0.0.0.0 LINTEL_HTTP_PORT=8080 LINTEL_MQTT_PORT=1883
VOLUME /data
EXPOSE 8080 8883
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
  CMD ["/usr/lib/lintel-bridge/bin/node", "-e", "fetch('http://127.0.0.1:'+process.env.LINTEL_HTTP_PORT+'/readyz').then(r=>process.exit(r.ok?0:1),()=>process.exit(1))"]
ENTRYPOINT ["/usr/bin/lintel-bridge"]
CMD ["bridge"]
