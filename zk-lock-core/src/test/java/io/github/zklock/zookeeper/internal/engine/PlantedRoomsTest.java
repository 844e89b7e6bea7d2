package io.github.zklock.zookeeper.internal.engine;

import java.util.List;

/** The bugs in other rooms than those of {@link PlantedQueuesTest} and {@link PlantedWiresTest}. */
class PlantedRoomsTest extends PlantedRooms {

    static List<RoomPlant> bugs() {
        return RoomPlant.ALL;
    }
}
