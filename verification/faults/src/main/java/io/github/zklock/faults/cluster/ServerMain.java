package io.github.zklock.faults.cluster;

import java.nio.file.Path;
import javax.security.sasl.SaslException;
import org.apache.commons.io.function.Uncheck;
import org.apache.zookeeper.server.persistence.FileTxnSnapLog;
import org.apache.zookeeper.server.quorum.QuorumPeer;
import org.apache.zookeeper.server.quorum.QuorumPeerMain;
import org.slf4j.LoggerFactory;

/** A ZooKeeper server as released, but with a {@link FaultyDisk} and a {@link SlowLog}. */
public final class ServerMain extends QuorumPeerMain {

    private ServerMain() {}

    /**
     * Runs until the process is ended.
     *
     * @param args the path of the configuration, in the folder of the server
     */
    public static void main(String[] args) {
        try {
            SlowLog.install(Path.of(args[0]).resolveSibling(""));
            new ServerMain().initializeAndRun(args);
        } catch (Exception e) {
            LoggerFactory.getLogger(ServerMain.class).error("The server could not go on", e);
        } finally {
            // threads of a server that failed to start would keep the process alive
            System.exit(1);
        }
    }

    @Override
    protected QuorumPeer getQuorumPeer() throws SaslException {
        return new PeerWithFaultyDisk();
    }

    private static final class PeerWithFaultyDisk extends QuorumPeer {

        PeerWithFaultyDisk() throws SaslException {}

        @Override
        public void setTxnFactory(FileTxnSnapLog healthy) {
            // the given folder is a subfolder for the version of the format
            Path folder = Path.of(healthy.getSnapDir().getParent());
            super.setTxnFactory(Uncheck.get(() -> new FaultyDisk(folder)));
        }
    }
}
