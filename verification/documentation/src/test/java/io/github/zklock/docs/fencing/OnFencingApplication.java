package io.github.zklock.docs.fencing;

import io.github.zklock.test.autoconfigure.AutoConfigureZkLock;
import io.github.zklock.test.autoconfigure.LockServer;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;

/** A test on the application of this package, which all of them share: a real ZooKeeper server, H2 and a real port. */
@SpringBootTest(
        classes = FencingApplication.class,
        webEnvironment = WebEnvironment.RANDOM_PORT,
        properties = {
            "spring.datasource.url=jdbc:h2:mem:fencing;MODE=PostgreSQL;DB_CLOSE_DELAY=-1",
            "spring.sql.init.schema-locations=classpath:io/github/zklock/docs/fencing/schema.sql",
            "spring.jpa.hibernate.ddl-auto=validate",
            "spring.jpa.open-in-view=false",
            "zk.lock.wait-time=60s",
            "zk.lock.connection-timeout=30s"
        })
@AutoConfigureZkLock(server = LockServer.EMBEDDED)
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@interface OnFencingApplication {}
