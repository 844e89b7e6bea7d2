package com.example.ordershop;

import io.github.zklock.test.autoconfigure.AutoConfigureZkLock;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.webmvc.test.autoconfigure.AutoConfigureMockMvc;

/** A test of the whole shop with locks and a database in memory. All such tests share one application context. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@SpringBootTest(
        properties = {
            "spring.datasource.url=jdbc:h2:mem:shop;MODE=PostgreSQL;DB_CLOSE_DELAY=-1",
            "ordershop.instance=shop-1",
            "ordershop.export-directory=target/exports",
            // tests call the job themselves
            "ordershop.closing-interval=1d",
            // calls for these locks fail at once if the lock is busy
            "zk.lock.locks[0].name=/orders/**",
            "zk.lock.locks[0].wait-time=0",
            "zk.lock.locks[1].name=/report",
            "zk.lock.locks[1].wait-time=0",
            "zk.lock.connection-timeout=5s"
        })
@AutoConfigureMockMvc
@AutoConfigureZkLock
public @interface ShopTest {}
