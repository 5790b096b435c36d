# Removes what the service never loads: the C headers of Node and, where nothing is developed, the source maps and type declarations of its
# dependencies. It runs in the folder of the package.
rm -rf node_modules/node/node_modules/node-*/include
if [ ! -d node_modules ] || [ -x node_modules/.bin/tsc ]; then exit 0; fi
find node_modules -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.cts' -o -name '*.d.mts' \) -delete
