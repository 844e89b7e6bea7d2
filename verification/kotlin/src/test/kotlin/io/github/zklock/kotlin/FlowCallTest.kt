package io.github.zklock.kotlin

import kotlinx.coroutines.flow.first
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.runBlocking
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test

class FlowCallTest : KotlinTest(Orders::class.java) {

    private val orders = context.getBean(Orders::class.java)

    @Test
    fun `nothing is acquired before the flow is collected`() {
        orders.items("1")

        assertThat(held()).isEmpty()
    }

    @Test
    fun `a flow is collected under its lock`() = runBlocking<Unit> {
        assertThat(orders.items("1").toList()).containsExactly(listOf("/orders/1"), listOf("/orders/1"))

        assertThat(held()).isEmpty()
    }

    @Test
    fun `each collection has a hold of its own`() = runBlocking<Unit> {
        val items = orders.items("1")

        assertThat(items.toList()).hasSize(2)
        assertThat(items.toList()).hasSize(2)
    }

    @Test
    fun `a flow from a suspending function is collected under its lock`() = runBlocking<Unit> {
        assertThat(orders.itemsLater("1").toList()).containsExactly(listOf("/orders/1"))
    }

    @Test
    fun `a collector that has enough gives the lock back`() = runBlocking<Unit> {
        assertThat(orders.items("1").first()).containsExactly("/orders/1")

        eventually { held().isEmpty() }
    }

    @Test
    fun `a skipped flow is empty`() = runBlocking<Unit> {
        heldByOthers("/orders/1").use { assertThat(orders.skippedFlow("1").toList()).isEmpty() }
    }
}
