// Crash & Grab without upgrades for three or four players with default options, played at random from one position: the
// same rules as crashlab/games/crash_and_grab/rules.py, written by hand for nothing but speed. `native_limit.py`
// builds it and compares. It keeps who is on each space, and counts the types aboard.
//
//     ./crash_and_grab GAMES <POSITION      prints: decisions with a choice, seconds, collisions, accelerators, types
//
// A position is the rows of crashlab/games/crash_and_grab/state.py at the beginning of a round: the name of each, how
// many numbers it has, and these. The types are those that the players have aboard at the end.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <vector>

constexpr int SAUCERS = 4, COLOURS = 6, TYPES = 4, CREW = 24, CELLS = 100, SITES = 12, ACCELERATOR = 13, NONE = -1;
constexpr int ABOARD = 100, QUEUE = -3, LEAPS = 12;
constexpr int DOWN[4] = {-1, 0, 1, 0}, RIGHT[4] = {0, 1, 0, -1};  // by direction

int8_t ground[CELLS], ahead[CELLS][4], site[SITES];
int saucers, size, limit;

struct Game {
    int8_t cell[SAUCERS];  // of a saucer, or NONE
    int8_t saucer_on[CELLS], crew_on[CELLS];
    int8_t carrier[CREW];           // the saucer that has it aboard, or NONE
    int8_t aboard[SAUCERS][TYPES];  // how many of a type
    int8_t queue[COLOURS][TYPES], waiting[COLOURS], served[COLOURS];  // types; how many there were, and have come
    int energy[SAUCERS], boosters[SAUCERS];
    int probe, round;
};
Game start, game;

int picked, leaps, crashed_count;
int8_t crashed[SAUCERS];
bool is_paying, is_won;
long decisions, collisions, accelerations, types_aboard;

uint64_t luck = 88172645463325252ull;

inline uint32_t below(uint32_t count) {
    luck ^= luck << 13;
    luck ^= luck >> 7;
    luck ^= luck << 17;
    return static_cast<uint32_t>(((luck >> 32) * static_cast<uint64_t>(count)) >> 32);
}

// One of so many answers.
inline int choose(int count) {
    if (count == 1) return 0;
    decisions++;
    return static_cast<int>(below(count));
}

inline int stationed(int saucer) {
    int types = 0;
    for (int type = 0; type < TYPES; type++) types += game.aboard[saucer][type] > 0;
    return types;
}

void gain(int saucer, int crew) {
    int from = game.carrier[crew];
    if (from != NONE) game.aboard[from][crew % TYPES]--;
    game.carrier[crew] = static_cast<int8_t>(saucer);
    game.aboard[saucer][crew % TYPES]++;
    is_won = is_won || stationed(saucer) == TYPES;
}

// The site that is rolled, or the next one that is free.
int roll_site() {
    int number = choose(SITES);
    while (game.saucer_on[site[number]] != NONE || game.crew_on[site[number]] != NONE)
        number = number + 1 == SITES ? 0 : number + 1;
    return site[number];
}

void place_saucer(int saucer) {
    int cell = roll_site();
    game.cell[saucer] = static_cast<int8_t>(cell);
    game.saucer_on[cell] = static_cast<int8_t>(saucer);
}

inline void leave(int saucer) {
    int8_t& here = game.saucer_on[game.cell[saucer]];
    if (here == saucer) here = NONE;  // else somebody has taken the space already
}

inline void stand(int saucer, int cell) {
    leave(saucer);
    game.cell[saucer] = static_cast<int8_t>(cell);
    game.saucer_on[cell] = static_cast<int8_t>(saucer);
}

void move(int turn, int heading, int leg) {
    int mover = turn, left = leg;
    while (left > 0) {
        int next = ahead[game.cell[mover]][heading];
        if (next == NONE) {
            leave(mover);
            game.cell[mover] = NONE;
            if (mover == turn) is_paying = true;
            else crashed[crashed_count++] = static_cast<int8_t>(mover);
            return;
        }
        int hit = game.saucer_on[next];
        stand(mover, next);
        if (hit != NONE) {
            collisions++;
            mover = hit;
            left = leg;
            continue;
        }
        left--;
        if (ground[next] == ACCELERATOR) {
            accelerations++;
            left = leg;
            if (mover == turn && ++leaps <= LEAPS) heading = choose(4);
        } else if (game.crew_on[next] != NONE) {
            int crew = game.crew_on[next];
            game.crew_on[next] = NONE;
            picked++;
            gain(mover, crew);
            if (is_won) return;
        }
    }
}

// Who can be given away by a saucer, or stolen from it; how many there are.
int off_coloured(int saucer, int8_t found[CREW]) {
    int count = 0;
    for (int crew = 0; crew < CREW; crew++)
        if (game.carrier[crew] == saucer && crew / TYPES != saucer) found[count++] = static_cast<int8_t>(crew);
    return count;
}

void pay(int payer) {
    int8_t crews[CREW], poorest[SAUCERS];
    int count = off_coloured(payer, crews), fewest = TYPES + 1, many = 0;
    if (count == 0) return;
    for (int saucer = 0; saucer < saucers; saucer++) {
        if (saucer == payer) continue;
        int have = stationed(saucer);
        if (have < fewest) fewest = have, many = 0;
        if (have == fewest) poorest[many++] = static_cast<int8_t>(saucer);
    }
    int choice = choose(many * count);
    gain(poorest[choice / count], crews[choice % count]);
}

void take_reward(int thief, int loser) {
    int8_t crews[CREW];
    int count = stationed(loser) >= stationed(thief) ? off_coloured(loser, crews) : 0;
    int choice = choose(1 + count);
    if (choice == 0) game.energy[thief]++;
    else gain(thief, crews[choice - 1]);
}

void refill() {
    for (; picked > 0; picked--) {
        int8_t colours[COLOURS];
        int count = 0;
        for (int colour = 0; colour < COLOURS; colour++)
            if (game.served[colour] < game.waiting[colour]) colours[count++] = static_cast<int8_t>(colour);
        if (count == 0) return;
        int colour = colours[choose(count)];
        int type = game.queue[colour][game.served[colour]++];
        game.crew_on[roll_site()] = static_cast<int8_t>(TYPES * colour + type);
    }
}

void take_turn(int saucer, int plan) {
    int card = plan / 4, heading = plan % 4;
    bool is_placed = game.cell[saucer] == NONE;
    picked = leaps = crashed_count = 0;
    is_paying = false;
    if (is_placed) place_saucer(saucer);
    int distance = card == 2 ? choose(6) : card + 2;
    if (is_placed && distance > 0) heading = choose(4);
    if (card == 0) game.boosters[saucer]++;
    if (card == 1) game.energy[saucer]++;
    move(saucer, heading, distance);
    while (!is_won && game.cell[saucer] != NONE && game.boosters[saucer] > 0 && distance > 0) {
        int choice = choose(5);
        if (choice == 0) break;
        game.boosters[saucer]--;
        move(saucer, choice - 1, distance);
    }
    if (!is_won && is_paying) pay(saucer);
    for (int each = 0; each < crashed_count && !is_won; each++) take_reward(saucer, crashed[each]);
    if (!is_won) refill();
}

void play_round() {
    int plan[SAUCERS], order[SAUCERS], place = game.probe;
    for (int saucer = 0; saucer < saucers; saucer++) plan[saucer] = static_cast<int>(below(12));
    decisions++;  // all of them together are one
    int step = choose(2) == 0 ? 1 : saucers - 1;
    for (int turn = 0; turn < saucers; turn++) {
        order[turn] = place;
        take_turn(place, plan[place]);
        if (is_won) return;
        place = (place + step) % saucers;
    }
    for (int each = 0; each < saucers; each++) {
        int saucer = (game.probe + each) % saucers;
        if (game.cell[saucer] == NONE) place_saucer(saucer);
    }
    int fewest = TYPES + 1;
    for (int turn = 0; turn < saucers; turn++)  // of several the one who acted last
        if (stationed(order[turn]) <= fewest) {
            game.probe = order[turn];
            fewest = stationed(game.probe);
        }
}

void play() {
    game = start;
    is_won = false;
    for (; !is_won; game.round++) {
        play_round();
        if (game.round == limit) break;
    }
    for (int saucer = 0; saucer < saucers; saucer++) types_aboard += stationed(saucer);
}

// One row of the position; the others are passed over.
void keep(const char* name, const std::vector<int>& row) {
    auto is = [name](const char* other) { return strcmp(name, other) == 0; };
    for (int at = 0; at < static_cast<int>(row.size()); at++) {
        int8_t number = static_cast<int8_t>(row[at]);
        if (is("saucers")) saucers = row[at];
        if (is("size")) size = row[at];
        if (is("round_limit")) limit = row[at];
        if (is("round")) start.round = row[at];
        if (is("probe")) start.probe = row[at];
        if (is("ground")) ground[at] = number;
        if (is("ground") && row[at] > 0 && row[at] <= SITES) site[row[at] - 1] = static_cast<int8_t>(at);
        if (at < SAUCERS && is("cell")) start.cell[at] = number;
        if (at < SAUCERS && is("energy")) start.energy[at] = row[at];
        if (at < SAUCERS && is("boosters")) start.boosters[at] = row[at];
        if (!is("where")) continue;
        if (row[at] >= 0 && row[at] < ABOARD) start.crew_on[row[at]] = static_cast<int8_t>(at);
        start.carrier[at] = row[at] >= ABOARD ? static_cast<int8_t>(row[at] - ABOARD) : NONE;
        if (row[at] >= ABOARD) start.aboard[row[at] - ABOARD][at % TYPES]++;
        int colour = at / TYPES;
        if (row[at] == QUEUE) start.queue[colour][start.waiting[colour]++] = static_cast<int8_t>(at % TYPES);
    }
}

void read_position() {
    char name[80];
    int count;
    memset(start.saucer_on, NONE, sizeof start.saucer_on);
    memset(start.crew_on, NONE, sizeof start.crew_on);
    while (scanf("%79s %d", name, &count) == 2) {
        std::vector<int> row(count);
        for (int& number : row)
            if (scanf("%d", &number) != 1) exit(1);
        keep(name, row);
    }
    for (int saucer = 0; saucer < saucers; saucer++)
        if (start.cell[saucer] != NONE) start.saucer_on[start.cell[saucer]] = static_cast<int8_t>(saucer);
    for (int row = 0; row < size; row++)
        for (int column = 0; column < size; column++)
            for (int way = 0; way < 4; way++) {
                int down = row + DOWN[way], right = column + RIGHT[way];
                bool is_off = down < 0 || right < 0 || down >= size || right >= size;
                ahead[10 * row + column][way] = static_cast<int8_t>(is_off ? NONE : 10 * down + right);
            }
}

int main(int count, char** words) {
    read_position();
    long games = count > 1 ? atol(words[1]) : 100;
    clock_t begun = clock();  // of the processor: the machine may be busy with other things
    for (long each = 0; each < games; each++) play();
    double seconds = static_cast<double>(clock() - begun) / CLOCKS_PER_SEC;
    printf("%ld %.9f %ld %ld %ld\n", decisions, seconds, collisions, accelerations, types_aboard);
}
