package io.github.zklock.zookeeper.internal.engine;

import java.util.List;

/** The bugs in the rooms of queues and seats. */
class PlantedQueuesTest extends PlantedRooms {

    static List<RoomPlant> bugs() {
        return RoomPlants.OF_QUEUES;
    }
}
