package io.github.zklock.kotlin

import io.github.zklock.Leadership
import io.github.zklock.LockRegistry
import io.github.zklock.annotation.OnlyLeader
import io.github.zklock.test.InMemoryLockCluster
import io.github.zklock.test.InMemoryLockRegistry
import java.util.concurrent.TimeUnit
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.flowOf
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.runBlocking
import org.assertj.core.api.Assertions.assertThat
import org.awaitility.Awaitility
import org.junit.jupiter.api.Test
import org.springframework.context.annotation.Bean
import org.springframework.context.annotation.Configuration

class OnlyLeaderTest {

    open class Reports {

        var published = 0

        @OnlyLeader("/kotlin/reports")
        open suspend fun publish() {
            published++
        }

        @OnlyLeader("/kotlin/reports")
        open suspend fun isPublished(): Boolean = true

        @OnlyLeader("/kotlin/reports")
        open suspend fun latest(): String? = "report"

        @OnlyLeader("/kotlin/reports")
        open fun all(): Flow<String> = flowOf("report")
    }

    open class CannotBeSkipped {
        @OnlyLeader("/kotlin/reports")
        open suspend fun latest(): String = "report"
    }

    @Configuration(proxyBeanMethods = false)
    class Leaderships {
        @Bean
        fun leadership(registry: LockRegistry): Leadership = registry.leadership("/kotlin/reports")
    }

    private fun awaitLeader(leadership: Leadership) =
        Awaitility.await().atMost(60, TimeUnit.SECONDS).until(leadership::isLeader)

    @Test
    fun `suspending functions run in the leader and are skipped elsewhere`() {
        val cluster = InMemoryLockCluster()
        val started =
            (1..2).map {
                val registry = InMemoryLockRegistry.builder().cluster(cluster).build()
                val context = KotlinTest.start(registry, Leaderships::class.java, Reports::class.java)
                // the first one leads before the second one starts
                if (it == 1) awaitLeader(context.getBean(Leadership::class.java))
                context
            }
        val (leading, waiting) = started.map { it.getBean(Reports::class.java) }

        runBlocking {
            leading.publish()
            waiting.publish()
            assertThat(leading.isPublished()).isTrue()
            assertThat(waiting.isPublished()).isFalse()
            assertThat(leading.latest()).isEqualTo("report")
            assertThat(waiting.latest()).isNull()
            assertThat(leading.all().toList()).containsExactly("report")
            assertThat(waiting.all().toList()).isEmpty()
        }
        started.forEach { it.close() }
        cluster.close()
    }

    @Test
    fun `a suspending function whose result cannot be absent is refused`() {
        InMemoryLockRegistry().use { registry ->
            assertThat(
                    org.assertj.core.api.Assertions.catchThrowable {
                        KotlinTest.start(registry, Leaderships::class.java, CannotBeSkipped::class.java).close()
                    }
                )
                .hasStackTraceContaining("CannotBeSkipped.latest() has a return type without a value that means 'skipped'")
        }
    }
}
