# The site gateway. Build it in the root of the repository:
#   docker build -f deploy/container/gateway.Dockerfile -t lintel-gateway .
FROM --platform=$BUILDPLATFORM docker.io/library/node:24-bookworm-slim AS build
ARG TARGETARCH
WORKDIR /src
COPY . .
RUN npm ci --no-audit --no-fund \
 && npx lintel image package --arch "$TARGETARCH" --program gateway --out /out \
 && dpkg-deb --extract /out/lintel-gateway_*.deb /image \
 && install -d -m 0700 -o 10001 -g 10001 /image/data

FROM docker.io/library/debian:bookworm-slim
COPY --from=build /image/usr /usr
COPY --from=build --chown=10001:10001 /image/data /data
USER 10001:10001
ENV LINTEL_DATA=/data LINTEL_LISTEN=0.0.0.0:8883 LINTEL_STATUS_PORT=8081 LINTEL_NO_MDNS=true
VOLUME /data
EXPOSE 8883
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
  CMD ["/usr/lib/lintel-gateway/bin/node", "-e", "fetch('http://127.0.0.1:'+process.env.LINTEL_STATUS_PORT+'/status.json').then(r=>process.exit(r.ok?0:1),()=>process.exit(1))"]
ENTRYPOINT ["/usr/bin/lintel-gateway"]
CMD ["gateway"]
