package io.github.zklock.autoconfigure.diagnostics;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;

/** The application that runs on the class path of {@link OldZooKeeperJar}. */
public final class OldJarApplication implements Runnable {

    @Override
    public void run() {
        SpringApplication application = new SpringApplication(FailureAnalysesTest.Application.class);
        application.setWebApplicationType(WebApplicationType.NONE);
        try {
            application.run("--zk.lock.connect-string=127.0.0.1:1").close();
        } catch (Exception | LinkageError expected) {
            // the test checks the output
        }
    }
}
