package io.github.zklock.cli;

import picocli.CommandLine.IVersionProvider;

/** The version of this jar. */
final class Version implements IVersionProvider {

    @Override
    public String[] getVersion() {
        String version = ZkLock.class.getPackage().getImplementationVersion();
        return new String[] {"zk-lock " + (version == null ? "unpacked" : version)};
    }
}
