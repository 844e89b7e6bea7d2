package io.github.zklock.kotlin

import io.github.zklock.LockHandle
import io.github.zklock.LockRegistry
import io.github.zklock.test.InMemoryLockCluster
import io.github.zklock.test.InMemoryLockRegistry
import java.util.concurrent.TimeUnit
import org.awaitility.Awaitility
import org.junit.jupiter.api.AfterAll
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.TestInstance
import org.springframework.boot.WebApplicationType
import org.springframework.boot.autoconfigure.EnableAutoConfiguration
import org.springframework.boot.builder.SpringApplicationBuilder
import org.springframework.context.ConfigurableApplicationContext
import org.springframework.context.annotation.Bean
import org.springframework.context.annotation.Configuration

/** An application written in Kotlin, with the starter and a registry in memory, and another process that competes. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class KotlinTest(vararg beans: Class<*>) {

    private val cluster = InMemoryLockCluster()
    private val others = InMemoryLockRegistry.builder().cluster(cluster).build()
    protected val registry: InMemoryLockRegistry = InMemoryLockRegistry.builder().cluster(cluster).build()
    protected val context: ConfigurableApplicationContext = start(registry, *beans)

    @AfterEach
    fun nothingIsLeft() = eventually { held().isEmpty() && awaited().isEmpty() }

    @AfterAll
    fun stop() {
        context.close()
        cluster.close()
    }

    fun held(): List<String> = registry.inspector().held().map { it.name().value() }

    fun awaited(): List<String> = registry.inspector().awaited().map { it.name().value() }

    fun heldByOthers(name: String): LockHandle = others.lock(name).acquire()

    fun lose(name: String) = cluster.forceOut(name)

    fun eventually(condition: () -> Boolean) =
        Awaitility.await()
            .atMost(60, TimeUnit.SECONDS)
            .pollDelay(0, TimeUnit.MILLISECONDS)
            .pollInterval(2, TimeUnit.MILLISECONDS)
            .until(condition)

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    class Application

    companion object {

        fun start(registry: LockRegistry, vararg beans: Class<*>): ConfigurableApplicationContext =
            SpringApplicationBuilder(Application::class.java, *beans)
                .web(WebApplicationType.NONE)
                .properties("spring.main.banner-mode=off")
                .initializers({ it.beanFactory.registerSingleton("zkLockRegistry", registry) })
                .run()
    }
}
