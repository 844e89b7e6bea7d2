package io.github.zklock.autoconfigure.diagnostics;

import io.github.zklock.autoconfigure.NoZooKeeperException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.annotation.Order;

/** Explains a start that failed because no ZooKeeper servers are configured. */
@Order(BeforeGeneralOnes.ORDER)
final class NoZooKeeperFailureAnalyzer extends AbstractFailureAnalyzer<NoZooKeeperException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, NoZooKeeperException cause) {
        return new FailureAnalysis(
                "zk-lock has no ZooKeeper servers for its locks: zk.lock.connect-string is not set, and there is"
                        + " neither a ZkLockConnectionDetails nor a CuratorFramework bean.",
                """
                Do one of the following:

                    - Set zk.lock.connect-string to the servers, such as zoo1:2181,zoo2:2181,zoo3:2181.
                    - For development, add the dependency io.github.zklock:zk-lock-embedded, which starts a server inside the
                      application. It does not start in an application that was processed ahead of time.
                    - Define a ZkLockConnectionDetails bean, as @ServiceConnection does for a container.
                    - Define a CuratorFramework bean.

                To do without locks, set zk.lock.enabled=false.""",
                cause);
    }
}
